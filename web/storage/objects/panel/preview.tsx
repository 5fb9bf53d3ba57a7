import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { bytes } from '#web/components/format.ts'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { api, type Schemas } from '../../api.ts'
import { signedPath } from '../download.ts'
import { shownName } from '../paths.ts'
import { formattedJson, type PreviewKind, previewKindOf, textBytes } from '../preview-kind.ts'
import { Markdown } from './markdown.tsx'
import { Section } from './section.tsx'

type StoredObject = Schemas['Object']
type Shown = { object: StoredObject }

const placeOf = ({ bucket_id, object_key }: StoredObject) => ({ bucketId: bucket_id, objectKey: object_key })

const read = async (object: StoredObject, signal: AbortSignal, most?: number) => {
  const { data } = await api.GET('/buckets/{bucketId}/objects/{objectKey}', {
    params: { path: placeOf(object) },
    headers: most && object.size_bytes > most ? { range: `bytes=0-${most - 1}` } : {},
    parseAs: 'arrayBuffer',
    signal,
  })
  return data as ArrayBuffer
}

/** The content, read again when it has changed. */
const useContent = (object: StoredObject, most?: number) =>
  useQuery({
    queryKey: ['content', object.bucket_id, object.object_key, object.etag],
    queryFn: ({ signal }) => read(object, signal, most),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/**
 * Shows what is stored without ever letting it act: text as text, images as images, which run no script, and PDF in the
 * browser's own viewer. Pages are shown as their source.
 */
export function Preview({ object }: Shown) {
  const kind = previewKindOf({
    key: object.object_key,
    contentType: object.content_type,
    size: object.size_bytes,
  })
  if (object.size_bytes === 0) return null
  if (!kind)
    return (
      <p class="quiet no-preview">
        {bytes(object.size_bytes)} of {object.content_type} cannot be shown here.
      </p>
    )
  const Content = contents[kind]
  return (
    <Section title="Preview">
      <div class="preview">
        <Content key={object.etag} object={object} />
      </div>
    </Section>
  )
}

const Loading = ({ error }: { error: unknown }) =>
  error ? <ErrorState error={error} /> : <Skeleton lines={4} />

const Text = ({ object, format }: Shown & { format?: (text: string) => string }) => {
  const { data, error } = useContent(object, textBytes)
  if (!data) return <Loading error={error} />
  const isCut = object.size_bytes > textBytes
  const text = new TextDecoder().decode(data)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls by keys */}
      <pre tabIndex={0}>{isCut || !format ? text : format(text)}</pre>
      {isCut && <p class="quiet">The first {bytes(textBytes)} of it.</p>}
    </>
  )
}

const Json = ({ object }: Shown) => <Text object={object} format={formattedJson} />

const MarkdownText = ({ object }: Shown) => {
  const { data, error } = useContent(object, textBytes)
  return data ? <Markdown text={new TextDecoder().decode(data)} /> : <Loading error={error} />
}

/** An address for bytes of a type that this page has chosen, not whoever has stored them. */
const useBlobAddress = (data: ArrayBuffer | undefined, type: string) => {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(new Blob([data], { type }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data, type])
  return address
}

const Image = ({ object }: Shown) => {
  const { data, error } = useContent(object)
  const address = useBlobAddress(data, object.content_type)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <p class="quiet">This is not an image that the browser can show.</p>
  if (!address) return <Loading error={error} />
  return <img src={address} alt={shownName(object.object_key)} onError={() => setBroken(true)} />
}

/** As a data address: opened in a tab of its own, a blob would run its scripts under the address of the console. */
const Svg = ({ object }: Shown) => {
  const { data, error } = useContent(object)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <p class="quiet">This is not an image that the browser can show.</p>
  if (!data) return <Loading error={error} />
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new TextDecoder().decode(data))}`
  return <img src={source} alt={shownName(object.object_key)} onError={() => setBroken(true)} />
}

const Pdf = ({ object }: Shown) => {
  const isShown = navigator.pdfViewerEnabled
  return isShown ? (
    <PdfFrame object={object} />
  ) : (
    <p class="quiet">This browser shows no PDF. Download it instead.</p>
  )
}

const PdfFrame = ({ object }: Shown) => {
  const { data, error } = useContent(object)
  const address = useBlobAddress(data, 'application/pdf')
  return address ? <iframe src={address} title={shownName(object.object_key)} /> : <Loading error={error} />
}

/** Read as it plays, from a signed address on this server. */
const useMedia = (object: StoredObject) =>
  useQuery({
    queryKey: ['media', object.bucket_id, object.object_key, object.etag],
    queryFn: async () =>
      `${await signedPath({ bucketId: object.bucket_id, key: object.object_key })}&download=false`,
    staleTime: 30 * 60_000,
  })

const Unplayable = () => <p class="quiet">The browser cannot play this.</p>

const Audio = ({ object }: Shown) => {
  const { data, error } = useMedia(object)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Unplayable />
  if (!data) return <Loading error={error} />
  // biome-ignore lint/a11y/useMediaCaption: whatever people have stored comes without captions
  return <audio controls preload="metadata" src={data} onError={() => setBroken(true)} />
}

const Video = ({ object }: Shown) => {
  const { data, error } = useMedia(object)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Unplayable />
  if (!data) return <Loading error={error} />
  // biome-ignore lint/a11y/useMediaCaption: whatever people have stored comes without captions
  return <video controls preload="metadata" src={data} onError={() => setBroken(true)} />
}

const contents: Record<PreviewKind, (props: Shown) => preact.JSX.Element> = {
  image: Image,
  svg: Svg,
  text: ({ object }) => <Text object={object} />,
  json: Json,
  markdown: MarkdownText,
  audio: Audio,
  video: Video,
  pdf: Pdf,
}
