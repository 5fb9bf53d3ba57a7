import { userCache } from '../accounts/users.ts'
import type { Principal, Storage } from '../context.ts'
import { type Credential, credentialCache } from '../keys/keys.ts'
import { keyUses } from '../keys/last-use.ts'
import { refuse } from './errors.ts'
import type { S3Request } from './request.ts'
import { type Presented, presentedIn, presentedInForm } from './signature/presented.ts'
import { type Signer, signingKeyOf, verifyPolicy, verifySignature } from './signature/verify.ts'

export type Authenticated = { me: Principal; signer: Signer; region: string }

/** The signing key of a credential changes once a day, and is kept until then, or until another region is asked for. */
const signingKeys = new WeakMap<Credential, { scope: string; key: Buffer }>()

const signingKeyFor = (credential: Credential, scope: string) => {
  const known = signingKeys.get(credential)
  if (known?.scope === scope) return known.key
  const key = signingKeyOf(credential.secret, scope)
  signingKeys.set(credential, { scope, key })
  return key
}

/** Whose key a signature names, with the rights that they have now, once `verify` has accepted it. */
const signerOf = async (
  ctx: Storage,
  { accessKey, scope, region }: Presented,
  { ip, verify }: { ip: string; verify(proof: { signingKey: Buffer; now: Date }): Signer },
): Promise<Authenticated> => {
  const unknown = () => refuse('InvalidAccessKeyId', undefined, { fields: { AWSAccessKeyId: accessKey } })
  const credential = /^\w{1,64}$/.test(accessKey) ? await credentialCache(ctx).get(accessKey) : undefined
  if (!credential) return unknown()
  const user = (await userCache(ctx).get(credential.userId)) ?? unknown()
  const signer = verify({ signingKey: signingKeyFor(credential, scope), now: ctx.clock.now() })
  keyUses(ctx).note(credential.id)
  const { id: userId, orgId, role } = user
  const me = { userId, orgId, role, keyId: credential.id, ancestorIds: credential.ancestorIds, ip }
  return { me, signer, region }
}

/** Who has signed a request; null if nobody has. Throws if the signature is wrong. */
export const authenticate = async (ctx: Storage, request: S3Request): Promise<Authenticated | null> => {
  const presented = presentedIn(request)
  if (!presented) return null
  const verify = (proof: { signingKey: Buffer; now: Date }) => verifySignature(request, presented, proof)
  return signerOf(ctx, presented, { ip: request.ip, verify })
}

/** Who has signed the policy of a form. */
export const authenticateForm = async (
  ctx: Storage,
  fields: ReadonlyMap<string, string>,
  ip: string,
): Promise<Authenticated> => {
  const presented = presentedInForm(fields)
  const policy = fields.get('policy') as string
  const verify = (proof: { signingKey: Buffer; now: Date }) => verifyPolicy(policy, presented, proof)
  return signerOf(ctx, presented, { ip, verify })
}
