/** Content codings that we send, the preferred one first. `identity` is none. */
const encodings = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof encodings)[number]

/** Smaller responses gain nothing: they fit into one packet either way. */
export const minCompressedBytes = 1024

/** The weight of each name in the header. A weight that cannot be read counts as none given. */
const weightsIn = (header: string) =>
  new Map(
    header
      .toLowerCase()
      .split(',')
      .map((item) => {
        const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
        const weight = parameters
          .map((each) => /^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(each)?.[1])
          .find(Boolean)
        return [name, Number(weight ?? 1)] as const
      }),
  )

/** What is not named is acceptable, but less welcome than anything that is. */
const unnamed = 0.0001

/** The encoding for a response of this size. If a client refuses everything we have, it gets the plain response. */
export const chosenEncoding = (
  header: string | string[] | undefined,
  size = Number.POSITIVE_INFINITY,
): Encoding => {
  if (header === undefined) return 'identity'
  const weights = weightsIn(String(header))
  const weightOf = (name: Encoding) =>
    weights.get(name) ?? weights.get('*') ?? (name === 'identity' ? unnamed : 0)
  const best = encodings.reduce((chosen, name) => (weightOf(name) > weightOf(chosen) ? name : chosen))
  if (weightOf(best) === 0) return 'identity'
  return size < minCompressedBytes && weightOf('identity') > 0 ? 'identity' : best
}

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|wasm|xml|[\w.-]+\+(?:json|xml))|image\/svg\+xml)/

/** Whether compressing helps with this type of content. */
export const isCompressible = (type: unknown) => typeof type === 'string' && compressible.test(type)

/** `Vary` for a response that is sent in several encodings. */
export const varyByEncoding = (vary: unknown): string => {
  if (typeof vary !== 'string' || vary === '') return 'Accept-Encoding'
  return /accept-encoding/i.test(vary) ? vary : `${vary}, Accept-Encoding`
}

/** Other bytes need another entity tag. */
export const tagIn = (etag: string, encoding: Encoding) =>
  encoding === 'identity' ? etag : etag.replace(/"$/, `-${encoding}"`)
