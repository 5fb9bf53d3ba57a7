import { OperatorError } from '#platform/errors.ts'

/** Where objects come from. */
export type Address = {
  bucket: string
  prefix: string
  endpoint: string | undefined
  region: string | undefined
}

const malformed = (): never => {
  throw new OperatorError(
    'The source must have the form s3://bucket[/prefix][?endpoint=https://…&region=…], and its key be in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  )
}

const isHttp = (text: string) => /^https?:\/\/[^/]+\/?$/.test(text) && URL.canParse(text)

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return malformed()
  }
}

/** Reads `s3://bucket[/prefix]?endpoint=…&region=…`. Characters of the prefix may be percent-encoded. */
export const readAddress = (text: string): Address => {
  const [, bucket = '', prefix = '', query = ''] =
    /^s3:\/\/([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(text) ?? malformed()
  const settings = new URLSearchParams(query)
  const endpoint = settings.get('endpoint') ?? undefined
  if (endpoint !== undefined && !isHttp(endpoint)) malformed()
  if ([...settings.keys()].some((name) => name !== 'endpoint' && name !== 'region')) malformed()
  return { bucket, prefix: decoded(prefix), endpoint, region: settings.get('region') ?? undefined }
}
