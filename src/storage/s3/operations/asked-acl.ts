import { refuse } from '../errors.ts'
import { payloadOf, readDocument } from '../payload.ts'
import { type Call, headerOf } from '../request.ts'
import { childrenOf, type Element, readXml, textOf } from '../xml/read.ts'

const everybody = 'http://acs.amazonaws.com/groups/global/AllUsers'

/** Who is granted what, such as `owner FULL_CONTROL`. */
const grantsIn = (policy: Element, ownerId: string) =>
  childrenOf(policy, 'AccessControlList')
    .flatMap((list) => childrenOf(list, 'Grant'))
    .map((grant) => {
      const [grantee] = childrenOf(grant, 'Grantee')
      const isOwner = grantee !== undefined && textOf(grantee, 'ID') === ownerId
      const isEverybody = grantee !== undefined && textOf(grantee, 'URI') === everybody
      const name = isOwner ? 'owner' : isEverybody ? 'everybody' : 'somebody'
      return `${name} ${textOf(grant, 'Permission')}`
    })
    .sort()
    .join()

/** Documents that say the same as a canned ACL. Clients that copy an object send what they have read. */
const canned: Record<string, string> = {
  'owner FULL_CONTROL': 'private',
  'everybody READ,owner FULL_CONTROL': 'public-read',
}

/** The canned ACL that a request names in a header, or describes in its body. */
export const askedAcl = async (call: Call): Promise<string> => {
  const named = headerOf(call.request, 'x-amz-acl')
  if (named !== undefined) return named
  const text = await readDocument(payloadOf(call))
  const grants = text === '' ? '' : grantsIn(readXml(text, 'AccessControlPolicy'), call.me.orgId)
  return canned[grants] ?? refuse('AccessControlListNotSupported')
}
