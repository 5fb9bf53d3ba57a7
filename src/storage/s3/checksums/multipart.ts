import { type AlgorithmName, algorithmOf } from '../../checksums/algorithms.ts'
import type { ChecksumPlan, PartRow } from '../../multipart/multipart.ts'
import type { Checksum } from '../../objects/objects.ts'
import { refuse } from '../errors.ts'
import { headerOf, type S3Request } from '../request.ts'
import { algorithmNamed, headerFor, s3Algorithms, usualAlgorithm } from './sent.ts'

/** Which checksum an upload in parts will have: of the whole object where that is possible, unless the client says otherwise. */
export const checksumPlan = (algorithm: string | undefined, type: string | undefined): ChecksumPlan => {
  if (algorithm === undefined && type !== undefined)
    refuse(
      'InvalidRequest',
      'The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.',
    )
  const name = algorithm === undefined ? usualAlgorithm : algorithmNamed(algorithm)
  const isCombinable = algorithmOf(name).combine !== undefined
  const usual = name === usualAlgorithm ? 'FULL_OBJECT' : 'COMPOSITE'
  const chosen = type === undefined ? usual : type.toUpperCase()
  if (chosen !== 'FULL_OBJECT' && chosen !== 'COMPOSITE')
    return refuse('InvalidRequest', 'Value for x-amz-checksum-type header is invalid.')
  if (chosen === 'FULL_OBJECT' && !isCombinable)
    refuse(
      'InvalidRequest',
      `The FULL_OBJECT checksum type cannot be used with the ${name} checksum algorithm.`,
    )
  if (chosen === 'COMPOSITE' && name === usualAlgorithm)
    refuse(
      'InvalidRequest',
      `The COMPOSITE checksum type cannot be used with the ${name} checksum algorithm.`,
    )
  return { algorithm: name, type: chosen, ...(algorithm === undefined ? { implied: true } : {}) }
}

/** The checksum of an object from those of its parts; null if a part has none, or another one. */
export const checksumOfParts = (plan: ChecksumPlan | null, parts: readonly PartRow[]): Checksum | null => {
  if (plan === null || parts.some(({ checksum }) => checksum?.algorithm !== plan.algorithm)) return null
  const algorithm = algorithmOf(plan.algorithm as AlgorithmName)
  const values = parts.map(({ checksum, sizeBytes }) => ({
    value: Buffer.from(checksum?.value ?? '', 'base64'),
    size: sizeBytes,
  }))
  const described = { algorithm: plan.algorithm, type: plan.type }
  if (plan.type === 'FULL_OBJECT' && algorithm.combine)
    return { ...described, value: algorithm.combine(values).toString('base64') }
  const running = algorithm.start()
  for (const { value } of values) running.update(value)
  return { ...described, value: `${running.digest().toString('base64')}-${parts.length}` }
}

/** On Complete, checksum headers are about the object, not about the body of the request. */
export const withoutObjectChecksum = (request: S3Request): S3Request => {
  const about = ['x-amz-checksum-type', 'x-amz-sdk-checksum-algorithm', ...s3Algorithms.map(headerFor)]
  return { ...request, headers: new Map([...request.headers].filter(([name]) => !about.includes(name))) }
}

/** Throws unless the checksum of an object is what the client expects. */
export const checkObjectChecksum = (request: S3Request, checksum: Checksum | null) => {
  const type = headerOf(request, 'x-amz-checksum-type')?.toUpperCase()
  if (type !== undefined && type !== checksum?.type)
    refuse('InvalidRequest', 'Value for x-amz-checksum-type header is not that of the upload.')
  for (const name of s3Algorithms) {
    const expected = headerOf(request, headerFor(name))
    if (expected === undefined) continue
    if (checksum?.algorithm !== name)
      return refuse('InvalidRequest', `The upload was created without a ${name} checksum.`)
    const [plain] = checksum.value.split('-')
    if (expected !== checksum.value && expected !== plain)
      refuse('BadDigest', `The ${name} that you specified did not match the calculated checksum`)
  }
}
