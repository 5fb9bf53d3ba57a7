import type { ChecksumPlan, PartRow } from '../../multipart/multipart.ts'
import type { Checksum } from '../../objects/objects.ts'
import { refuse } from '../errors.ts'
import { type AlgorithmName, algorithmOf } from './algorithms.ts'
import { algorithmNamed, usualAlgorithm } from './sent.ts'

/** Which checksum an upload in parts will have: of the whole object where that is possible, unless the client says otherwise. */
export const checksumPlan = (algorithm: string | undefined, type: string | undefined): ChecksumPlan => {
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
  return { algorithm: name, type: chosen }
}

/** The checksum of an object from those of its parts; null if a part has none, or another one. */
export const checksumOfParts = (plan: ChecksumPlan | null, parts: readonly PartRow[]): Checksum | null => {
  if (plan === null || parts.some(({ checksum }) => checksum?.algorithm !== plan.algorithm)) return null
  const algorithm = algorithmOf(plan.algorithm as AlgorithmName)
  const values = parts.map(({ checksum, sizeBytes }) => ({
    value: Buffer.from(checksum?.value ?? '', 'base64'),
    size: sizeBytes,
  }))
  if (plan.type === 'FULL_OBJECT' && algorithm.combine)
    return { ...plan, value: algorithm.combine(values).toString('base64') }
  const running = algorithm.start()
  for (const { value } of values) running.update(value)
  return { ...plan, value: `${running.digest().toString('base64')}-${parts.length}` }
}
