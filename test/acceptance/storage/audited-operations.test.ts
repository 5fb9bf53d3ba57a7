import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { boot } from '#test/support/boot.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { operatorOf } from '#test/support/operator.ts'
import { startReceiver } from '#test/support/receiver.ts'

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })
const { storage, clock } = system

const document = JSON.parse(
  readFileSync(new URL('../../../docs/openapi/storage.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, { operationId: string }>> }
const writes = Object.values(document.paths).flatMap((methods) =>
  Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
)

/** Operations without an entry of their own, and why. */
const unrecorded: Record<string, string> = {
  closeSession: 'people end their own session, and nobody can use it afterwards',
  simulatePolicy: 'it changes nothing',
  setUpTotp: 'nothing is on before the first code is verified, which is recorded',
  uploadPart: 'a part is nothing to anybody before the upload is completed, which is recorded',
  receivePaymentEvent: 'only the provider can sign it; what the sandbox does in its place is performed below',
  resetPassword: 'needs the link of a mail; performed in reset.test.ts',
}

test('every operation that changes something is in the audit log, or listed with why it is not', async (t) => {
  const { api, email, user } = await storageOwner(system)
  const performed = new Map([['register', ['auth.registered']]])
  type Row = { action: string; actor_user_id: string | null }
  const log = async (as = api): Promise<Row[]> => (await as('GET /audit-logs?limit=200')).body.rows
  let seen = (await log()).length
  const perform = async (
    operationId: string,
    call: string,
    options: Parameters<typeof api>[1] = {},
    as = api,
  ) => {
    const answer = await as(call, options)
    assert.ok(answer.status < 300, `${call}: ${answer.text}`)
    const rows = await log()
    const added = rows.slice(0, rows.length - seen)
    seen = rows.length
    assert.ok(added.length > 0, `${call} left no entry`)
    for (const { actor_user_id } of added) assert.equal(actor_user_id, user.id, call)
    performed.set(
      operationId,
      added.map(({ action }) => action),
    )
    return answer.body
  }
  const body = (value: object) => ({ body: value })

  await perform('login', 'POST /auth/login', body({ email, password }), storage)
  await perform('openSession', 'POST /auth/session', body({ email, password }), storage)
  const { id: keyId } = await perform('createApiKey', 'POST /auth/api-keys', body({ label: 'ci' }))
  await perform('revokeApiKey', `DELETE /auth/api-keys/${keyId}`)
  const member = { fullName: 'Some Body', email: `m-${crypto.randomUUID()}@example.com`, password }
  const { id: memberId } = await perform('addMember', 'POST /members', body(member))
  await perform('changeMember', `PATCH /members/${memberId}`, body({ role: 'admin' }))
  await perform('removeMember', `DELETE /members/${memberId}`)
  await perform('changeProfile', 'PATCH /settings/profile', body({ fullName: 'Mira Novak' }))
  await perform('changeOrganization', 'PATCH /settings/organization', body({ name: 'Lighthouse' }))

  const { id } = await perform('createBucket', 'POST /buckets', body({ name: 'audited' }))
  const bucket = `/buckets/${id}`
  await perform('updateBucket', `PATCH ${bucket}`, body({ visibility: 'public' }))
  await perform('replacePolicy', `PUT ${bucket}/policy`, body({ statements: [] }))
  const rule = { id: 'old', prefix: 'x', expiration_days: 30 }
  await perform('replaceLifecycle', `PUT ${bucket}/lifecycle`, body({ rules: [rule] }))
  await perform('deleteLifecycle', `DELETE ${bucket}/lifecycle`)
  const object = `${bucket}/objects/a`
  await perform('putObject', `PUT ${object}`, { raw: 'one' })
  const { objectKey: _, ...first } = (await api(`GET ${bucket}/versions?objectKey=a`)).body[0]
  await api(`PUT ${object}`, { raw: 'two' })
  seen++
  await perform('replaceObjectTags', `PUT ${bucket}/object-tags?objectKey=a`, body({ tags: { k: 'v' } }))
  await perform('deleteObjectTags', `DELETE ${bucket}/object-tags?objectKey=a`)
  await perform('restoreVersion', `POST ${object}/restore`, body({ versionId: first.version_id }))
  const old = (await api(`GET ${bucket}/versions?objectKey=a`)).body.at(-1)
  await perform('deleteVersion', `DELETE ${bucket}/versions?objectKey=a&versionId=${old.version_id}`)
  await perform('copyObject', `POST ${object}/copy`, body({ destinationKey: 'b' }))
  await perform('moveObject', `POST ${bucket}/objects/b/move`, body({ destinationKey: 'c' }))
  await perform('deleteObject', `DELETE ${bucket}/objects/c`)
  await perform('recoverObject', `POST ${bucket}/objects/c/recover`)
  await perform('deleteObjects', `POST ${bucket}/objects/delete`, body({ keys: ['c'] }))
  const data = Buffer.from('three').toString('base64')
  await perform('uploadObjects', `POST ${bucket}/objects/batch`, body({ objects: [{ key: 'd', data }] }))
  const form = new FormData()
  form.append('file', new Blob(['four']), 'e')
  await perform('uploadObject', `POST ${bucket}/objects/upload`, { raw: form as never })
  const { url } = await perform(
    'createSignedUrl',
    `POST ${bucket}/signed-url`,
    body({ objectKey: 'f', method: 'PUT' }),
  )
  const signed = new URL(url)
  await perform('uploadWithSignedUrl', `PUT ${signed.pathname}${signed.search}`, { raw: 'five' }, storage)
  const begin = () => `POST ${bucket}/multipart/initiate`
  const upload = await perform('initiateUpload', begin(), body({ objectKey: 'g' }))
  const part = `${bucket}/multipart/${upload.uploadId}`
  await api(`PUT ${part}/parts/1`, { raw: 'six' })
  await perform('completeUpload', `POST ${part}/complete`, body({}))
  const aborted = (await api(begin(), body({ objectKey: 'h' }))).body.uploadId
  seen++
  await perform('abortUpload', `DELETE ${bucket}/multipart/${aborted}`)
  const { id: empty } = (await api('POST /buckets', body({ name: 'empty' }))).body
  seen++
  await perform('deleteBucket', `DELETE /buckets/${empty}`)

  const plan = { storageTier: 's-100', bandwidthTier: 'b-100', termMonths: 1 }
  const { body: tiers } = await api('GET /billing/tiers')
  Object.assign(plan, { storageTier: tiers.storage[0].code, bandwidthTier: tiers.bandwidth[0].code })
  const { clientSecret } = await perform('purchasePlan', 'POST /billing/purchase', body(plan))
  await perform('confirmInSandbox', 'POST /billing/sandbox/confirm', body({ clientSecret }))
  await operatorOf(system)('storage', 'promo', 'create', '--code', 'AUDIT', '--months', '1')
  await perform('redeemPromo', 'POST /billing/redeem-promo', body({ code: 'AUDIT' }))

  const receiver = await startReceiver(t)
  const { id: hookId } = await perform('createWebhook', 'POST /webhooks', body({ url: receiver.url }))
  const hook = `/webhooks/${hookId}`
  await perform('changeWebhook', `PATCH ${hook}`, body({ description: 'Deploys' }))
  await perform('rotateWebhookSecret', `POST ${hook}/rotate`)
  await perform('testWebhook', `POST ${hook}/test`)
  await api(`PUT ${object}`, { raw: 'seven' })
  seen++
  const [, message] = await receiver.until(2)
  const [delivery] = (await api(`GET ${hook}/deliveries`)).body.deliveries
  await perform('retryDelivery', `POST ${hook}/deliveries/${delivery.id}/retry`)
  await perform('replayEvents', `POST ${hook}/replay`, body({ after: message!.body.id }))
  await perform('deleteWebhook', `DELETE ${hook}`)

  const { secret } = (await api('POST /settings/totp/setup')).body
  const code = () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now().getTime() })
  await perform('verifyTotp', 'POST /settings/totp/verify', body({ token: code() }))
  await perform('switchTotpOff', 'DELETE /settings/totp', body({ token: code() }))
  await storage('POST /auth/forgot-password', body({ email }))
  seen = (await log()).length
  performed.set('forgotPassword', ['auth.password_reset_requested'])
  const again = { currentPassword: password, newPassword: 'another one' }
  assert.equal((await api('PATCH /settings/password', body(again))).status, 200)
  const { token } = (await storage('POST /auth/login', body({ email, password: 'another one' }))).body
  const last = await log(storage.bearer(token))
  assert.deepEqual(
    last.slice(0, 2).map(({ action }) => action),
    ['auth.logged_in', 'auth.password_changed'],
  )
  performed.set('changePassword', ['auth.password_changed'])

  assert.deepEqual([...performed.keys(), ...Object.keys(unrecorded)].sort(), writes.sort())
  for (const [operationId, actions] of performed)
    for (const action of actions) assert.match(action, /^[a-z_]+\.[a-z_]+$/, operationId)
})
