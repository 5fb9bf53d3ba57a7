import { invalidArgument, refuse } from '../errors.ts'
import { parametersOf, type SignedParts, sha256 } from './canonical.ts'
import type { Presented } from './presented.ts'

export const unsignedPayload = 'UNSIGNED-PAYLOAD'

const header = 'x-amz-content-sha256'
const noBytes = sha256('')

const hasBody = ({ headers }: SignedParts) =>
  headers.has('transfer-encoding') || Number(headers.get('content-length')?.[0] ?? 0) > 0

/** What a request says about its body, in its headers or, if it is signed there, in its query. */
const saidBy = ({ headers, query }: SignedParts, { kind }: Pick<Presented, 'kind'>) => {
  const inQuery =
    kind === 'query' ? parametersOf(query).filter(([name]) => name.toLowerCase() === header) : []
  const values = new Set([...inQuery.map(([, value]) => value), ...(headers.get(header) ?? [])])
  if (values.size > 1) refuse('InvalidArgument', `There is more than one ${header}`)
  const [value] = values
  return value
}

const isHash = (value: string) =>
  value === unsignedPayload || value.startsWith('STREAMING-') || /^[0-9a-f]{64}$/i.test(value)

/**
 * The hash of the body that is part of what was signed, and that the body must have. Some clients say nothing about a body
 * that is empty.
 */
export const payloadHashOf = (parts: SignedParts, presented: Pick<Presented, 'kind'>): string => {
  const said = saidBy(parts, presented)
  if (said === undefined) {
    if (presented.kind === 'query') return unsignedPayload
    if (hasBody(parts)) refuse('InvalidRequest', `Missing required header for this request: ${header}`)
    return noBytes
  }
  if (!isHash(said))
    invalidArgument(
      header,
      said,
      `${header} must be UNSIGNED-PAYLOAD, STREAMING-…, or a SHA-256 in hexadecimal`,
    )
  return said
}
