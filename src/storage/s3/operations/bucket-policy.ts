import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#platform/errors.ts'
import type { BucketFacts } from '../../buckets/lookup.ts'
import { changePolicy, checkStatements, describePolicy } from '../../buckets/policy.ts'
import { isPublicStatement } from '../../buckets/public-access.ts'
import { refuse, refusingAs, S3Error } from '../errors.ts'
import { payloadOf, readDocument } from '../payload.ts'
import { malformed } from '../policy/document.ts'
import { expressPolicy } from '../policy/express.ts'
import { translatePolicy } from '../policy/translate.ts'
import { emptyReply, xmlReply } from '../reply.ts'
import type { Call } from '../request.ts'
import { bucketOf } from './places.ts'

const translated = (bucket: BucketFacts, text: string) => {
  const { isPublic, statements } = translatePolicy(text, bucket)
  return { isPublic, statements: refusingAs('MalformedPolicy', () => checkStatements(statements)) }
}

type Described = Awaited<ReturnType<typeof describePolicy>>

/** What the document says, if the policy still is what it was translated to. */
const inForce = (bucket: BucketFacts, { document, policy, visibility }: Described) => {
  if (document === null) return undefined
  const { isPublic, statements } = translated(bucket, document)
  const isSame = isDeepStrictEqual(statements, policy) && (!isPublic || visibility === 'public')
  return isSame ? { document, isPublic } : undefined
}

/** The policy, its document, and whether everybody may read by it. */
const policyOf = async (call: Call) => {
  const bucket = await bucketOf(call)
  const described = await describePolicy(call.ctx, call.me, bucket.id)
  const said = inForce(bucket, described)
  if (!said && described.policy.length === 0) refuse('NoSuchBucketPolicy')
  return { bucket, said, statements: described.policy }
}

export const getBucketPolicy = async (call: Call) => {
  const { bucket, said, statements } = await policyOf(call)
  const body = said?.document ?? expressPolicy(statements, bucket)
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}

export const getBucketPolicyStatus = async (call: Call) => {
  const { said, statements } = await policyOf(call)
  return xmlReply('PolicyStatus', { IsPublic: said?.isPublic || statements.some(isPublicStatement) })
}

type Change = Pick<Parameters<typeof changePolicy>[3], 'statements' | 'document'>

/** Everybody may read by the new document, or no longer if it was by the last one; otherwise the visibility stays. */
const change = async (call: Call, bucket: BucketFacts, policy: Change, isPublic: boolean) => {
  const visibility = (before: Described) => {
    if (isPublic) return 'public'
    return inForce(bucket, before)?.isPublic ? 'private' : undefined
  }
  await changePolicy(call.ctx, call.me, bucket.id, { ...policy, visibility })
}

/** What is wrong with a statement is wrong with the document: a user who is not there, for example. */
const orMalformed = async (work: Promise<void>) => {
  try {
    await work
  } catch (error) {
    if (error instanceof AppError && error.status === 400 && !(error instanceof S3Error))
      malformed(error.message)
    throw error
  }
}

export const putBucketPolicy = async (call: Call) => {
  const bucket = await bucketOf(call)
  const document = await readDocument(payloadOf(call))
  const { isPublic, statements } = translated(bucket, document)
  await orMalformed(change(call, bucket, { statements, document }, isPublic))
  return emptyReply(204)
}

export const deleteBucketPolicy = async (call: Call) => {
  await change(call, await bucketOf(call), { statements: [] }, false)
  return emptyReply(204)
}
