import type { ObjectEvent } from '../queries.ts'

const words: Record<string, string> = {
  'object.created upload': 'Uploaded',
  'object.created multipart': 'Uploaded in parts',
  'object.created copy': 'Copied here',
  'object.created restored': 'Restored from a version',
  'object.updated overwritten': 'Overwritten',
  'object.updated restored': 'Restored from a version',
  'object.updated moved': 'Moved',
  'object.updated tagged': 'Tags changed',
  'object.deleted': 'Deleted',
  'object.recovered': 'Recovered',
  'object.purged': 'Deleted for good',
}

/** What happened, in a few words. */
export const wordsOf = ({ type, data }: Pick<ObjectEvent, 'type' | 'data'>) => {
  const said = words[`${type} ${data.reason ?? ''}`.trim()] ?? words[type] ?? type
  return data.previous ? `${said} from ${data.previous.object_key}` : said
}
