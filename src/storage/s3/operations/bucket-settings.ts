import { changeSettings, checkBucketTags, getSettings } from '../../buckets/settings.ts'
import { refuse } from '../errors.ts'
import { payloadOf, readDocument, readVouchedDocument } from '../payload.ts'
import { emptyReply, xmlReply } from '../reply.ts'
import type { Call } from '../request.ts'
import { tagSet, tagsInDocument } from '../tagging.ts'
import { childrenOf, type Element, readXml, requiredText, textOf } from '../xml/read.ts'
import { bucketOf } from './places.ts'

type Change = Parameters<typeof changeSettings>[3]

const settingsOf = async (call: Call) => getSettings(call.ctx, call.me, (await bucketOf(call)).id)

const change = async (call: Call, status: 200 | 204, read: () => Change | Promise<Change>) => {
  const { id } = await bucketOf(call)
  await changeSettings(call.ctx, call.me, id, await read())
  return emptyReply(status)
}

const document = (call: Call) => readDocument(payloadOf(call))

export const getBucketTagging = async (call: Call) => {
  const { tags } = await settingsOf(call)
  return tags.length === 0 ? refuse('NoSuchTagSet') : xmlReply('Tagging', tagSet(tags))
}

export const putBucketTagging = (call: Call) =>
  change(call, 200, async () => ({
    tags: tagsInDocument(await readVouchedDocument(payloadOf(call)), checkBucketTags),
  }))

export const deleteBucketTagging = (call: Call) => change(call, 204, () => ({ tags: [] }))

export const getPublicAccessBlock = async (call: Call) => {
  const { publicAccessBlock: block } = await settingsOf(call)
  if (!block) return refuse('NoSuchPublicAccessBlockConfiguration')
  return xmlReply('PublicAccessBlockConfiguration', {
    BlockPublicAcls: block.blockPublicAcls,
    IgnorePublicAcls: block.ignorePublicAcls,
    BlockPublicPolicy: block.blockPublicPolicy,
    RestrictPublicBuckets: block.restrictPublicBuckets,
  })
}

/** What is left out is not blocked. */
const flag = (configuration: Element, name: string) => {
  const text = textOf(configuration, name)?.trim().toLowerCase() ?? 'false'
  return text === 'true' || text === 'false'
    ? text === 'true'
    : refuse('MalformedXML', `${name} is no boolean`)
}

export const putPublicAccessBlock = (call: Call) =>
  change(call, 200, async () => {
    const configuration = readXml(await document(call), 'PublicAccessBlockConfiguration')
    return {
      publicAccessBlock: {
        blockPublicAcls: flag(configuration, 'BlockPublicAcls'),
        ignorePublicAcls: flag(configuration, 'IgnorePublicAcls'),
        blockPublicPolicy: flag(configuration, 'BlockPublicPolicy'),
        restrictPublicBuckets: flag(configuration, 'RestrictPublicBuckets'),
      },
    }
  })

export const deletePublicAccessBlock = (call: Call) => change(call, 204, () => ({ publicAccessBlock: null }))

const ownerships = ['BucketOwnerEnforced', 'BucketOwnerPreferred', 'ObjectWriter']

export const getOwnershipControls = async (call: Call) => {
  const { objectOwnership } = await settingsOf(call)
  return xmlReply('OwnershipControls', { Rule: { ObjectOwnership: objectOwnership ?? ownerships[0] } })
}

export const putOwnershipControls = (call: Call) =>
  change(call, 200, async () => {
    const rules = childrenOf(readXml(await document(call), 'OwnershipControls'), 'Rule')
    const [rule] = rules
    const objectOwnership = rule && rules.length === 1 ? requiredText(rule, 'ObjectOwnership') : ''
    return ownerships.includes(objectOwnership) ? { objectOwnership } : refuse('MalformedXML')
  })

export const deleteOwnershipControls = (call: Call) => change(call, 204, () => ({ objectOwnership: null }))
