import { nameOf } from './paths.ts'

export type PreviewKind = 'image' | 'svg' | 'text' | 'json' | 'markdown' | 'audio' | 'video' | 'pdf'

const mebibyte = 1024 * 1024

/** Larger ones are not read into the page. Text is cut instead; audio and video are read as they play. */
const largest: Partial<Record<PreviewKind, number>> = {
  image: 32 * mebibyte,
  svg: 2 * mebibyte,
  pdf: 64 * mebibyte,
}

/** How much of a text is read. */
export const textBytes = 256 * 1024

const images = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'image/vnd.microsoft.icon',
])
const textTypes = new Set([
  'application/javascript',
  'application/xml',
  'application/xhtml+xml',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/sql',
  'application/x-sh',
  'application/x-ndjson',
])
const byExtension: Record<string, PreviewKind> = {
  md: 'markdown',
  markdown: 'markdown',
  json: 'json',
  geojson: 'json',
  ...Object.fromEntries(
    ['txt', 'log', 'csv', 'tsv', 'yml', 'yaml', 'toml', 'ini', 'conf', 'env', 'sql', 'sh', 'js', 'ts', 'tsx']
      .concat(['jsx', 'css', 'html', 'htm', 'xml', 'py', 'rb', 'go', 'rs', 'c', 'h', 'java', 'ndjson'])
      .map((extension) => [extension, 'text' as const]),
  ),
}

const kindOfType = (type: string): PreviewKind | null => {
  if (images.has(type)) return 'image'
  if (type === 'image/svg+xml') return 'svg'
  if (type === 'application/pdf') return 'pdf'
  if (type === 'text/markdown') return 'markdown'
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  if (type.startsWith('audio/')) return 'audio'
  if (type.startsWith('video/')) return 'video'
  // Also text/html: it is shown as it is written, never as a page.
  if (type.startsWith('text/') || textTypes.has(type)) return 'text'
  return null
}

/** The media type without its parameters. */
export const bareType = (contentType: string) => contentType.split(';')[0]?.trim().toLowerCase() ?? ''

/** How an object can be shown; null if it cannot. Uploads by scripts often have no type, so the name counts, too. */
export const previewKindOf = (object: { key: string; contentType: string; size: number }) => {
  const type = bareType(object.contentType)
  const extension = /\.([a-z0-9]+)$/i.exec(nameOf(object.key))?.[1]?.toLowerCase() ?? ''
  const named = Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? null) : null
  const byType = kindOfType(type)
  const isVague = byType === null || type === 'text/plain'
  const kind = isVague ? (named ?? byType) : byType
  return kind && object.size <= (largest[kind] ?? Number.POSITIVE_INFINITY) ? kind : null
}

/** Laid out if it is JSON as a whole; otherwise as it is. */
export const formattedJson = (text: string) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
