import { type AlgorithmName, algorithmOf } from '../../checksums/algorithms.ts'
import type { Checksum } from '../../objects/objects.ts'
import { refuse } from '../errors.ts'
import { headerOf } from '../request.ts'
import type { SignedParts } from '../signature/canonical.ts'

/** Those that S3 has headers for. */
export const s3Algorithms: readonly AlgorithmName[] = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256']

export const headerFor = (name: string) => `x-amz-checksum-${name.toLowerCase()}`

/** S3 computes this one if the client sends none. */
export const usualAlgorithm: AlgorithmName = 'CRC64NVME'

export const algorithmNamed = (text: string): AlgorithmName =>
  s3Algorithms.find((name) => name === text.toUpperCase()) ??
  refuse('InvalidRequest', `Checksum algorithm provided is unsupported: ${text}`)

export const checkedValue = (name: AlgorithmName, text: string): Buffer => {
  const value = Buffer.from(text, 'base64')
  const isValid = value.length === algorithmOf(name).bytes && value.toString('base64') === text
  return isValid ? value : refuse('InvalidRequest', `Value for ${headerFor(name)} header is invalid.`)
}

/** The one checksum that a request sends, in a header, or announces for its trailer. */
export const checksumSent = (request: SignedParts) => {
  const inHeaders = s3Algorithms.filter((name) => request.headers.has(headerFor(name)))
  const announced = (headerOf(request, 'x-amz-trailer') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  const inTrailer = announced.map(
    (trailer) =>
      s3Algorithms.find((name) => headerFor(name) === trailer) ??
      refuse('InvalidRequest', 'The value specified in the x-amz-trailer header is not supported'),
  )
  if (inHeaders.length + inTrailer.length > 1)
    refuse(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum types are not allowed.',
    )
  const [name] = inHeaders
  const named = headerOf(request, 'x-amz-sdk-checksum-algorithm')
  const algorithm = name ?? inTrailer[0]
  if (named !== undefined && algorithm === undefined)
    refuse(
      'InvalidRequest',
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    )
  if (named !== undefined && algorithmNamed(named) !== algorithm)
    refuse('InvalidRequest', 'Value for x-amz-sdk-checksum-algorithm header is invalid.')
  return {
    algorithm,
    expected: name && checkedValue(name, headerOf(request, headerFor(name)) ?? ''),
    isTrailing: inTrailer.length > 0,
  }
}

/** The headers that describe a checksum. */
export const checksumHeaders = (checksum: Checksum | null): Record<string, string> =>
  checksum === null
    ? {}
    : { [headerFor(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': checksum.type }

/** The elements that describe it. */
export const checksumElements = (checksum: Checksum | null): Record<string, string> =>
  checksum === null ? {} : { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type }
