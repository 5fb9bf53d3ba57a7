import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'

// Clients that copy an object read its ACL and send the document back, s3cmd among them.
const system = await boot()
const { s3, api, credentials } = await s3Owner(system)
await s3.send(new CreateBucketCommand({ Bucket: 'papers' }))
await s3.send(new PutObjectCommand({ Bucket: 'papers', Key: 'a', Body: 'a' }))
const send = (line: string, body?: string) =>
  signedRequest(system, credentials, line, { ...(body ? { body } : {}) })

const aclOf = async (path: string) => (await send(`GET ${path}?acl`)).text
const withGrant = (document: string, grantee: string, permission: string) =>
  document.replace(
    '</AccessControlList>',
    `<Grant><Grantee>${grantee}</Grantee><Permission>${permission}</Permission></Grant></AccessControlList>`,
  )
const everybody = '<URI>http://acs.amazonaws.com/groups/global/AllUsers</URI>'

test('an ACL document that was read can be sent back', async () => {
  for (const path of ['/papers', '/papers/a']) {
    const { status, text } = await send(`PUT ${path}?acl`, await aclOf(path))
    assert.equal(status, 200, text)
  }
})

test('an ACL document that lets everybody read makes a bucket public, and the first one private again', async () => {
  const document = await aclOf('/papers')
  assert.equal((await send('PUT /papers?acl', withGrant(document, everybody, 'READ'))).status, 200)
  assert.match(await aclOf('/papers'), /AllUsers/)
  assert.equal((await send('PUT /papers?acl', document)).status, 200)
  assert.doesNotMatch(await aclOf('/papers'), /AllUsers/)
})

test('an ACL document that says anything else is refused', async () => {
  const document = await aclOf('/papers')
  const others = {
    'everybody writes': withGrant(document, everybody, 'WRITE'),
    'somebody else reads': withGrant(document, '<ID>somebody</ID>', 'READ'),
    'nobody is granted anything': document.replace(/<Grant>.*<\/Grant>/, ''),
  }
  for (const [what, body] of Object.entries(others))
    for (const path of ['/papers', '/papers/a']) {
      const { status, code } = await send(`PUT ${path}?acl`, body)
      assert.deepEqual([status, code], [400, 'AccessControlListNotSupported'], `${what}: ${path}`)
    }
  const forObject = await send('PUT /papers/a?acl', withGrant(document, everybody, 'READ'))
  assert.equal(forObject.code, 'AccessControlListNotSupported')
  assert.equal((await send('PUT /papers?acl', '<AccessControlPolicy>')).code, 'MalformedXML')
  assert.equal((await send('PUT /papers?acl')).code, 'AccessControlListNotSupported')
})

test('ACLs are of objects that exist, and only who may write an object sends one', async () => {
  for (const [line, headers] of [
    ['GET /papers/missing?acl', {}],
    ['PUT /papers/missing?acl', { 'x-amz-acl': 'private' }],
  ] as const) {
    const { status, code } = await signedRequest(system, credentials, line, { headers })
    assert.deepEqual([status, code], [404, 'NoSuchKey'], line)
  }
  const bucketId = (await api('GET /buckets')).body[0].id
  const statement = { resourceType: 'object', resourceId: '*', subjectType: 'role', subjectId: 'owner' }
  const deny = (action: string) =>
    api(`PUT /buckets/${bucketId}/policy`, {
      body: { statements: [{ effect: 'deny', action, ...statement }] },
    })
  await deny('object.write')
  const write = { headers: { 'x-amz-acl': 'private' } }
  assert.equal((await signedRequest(system, credentials, 'PUT /papers/a?acl', write)).code, 'AccessDenied')
  assert.equal((await signedRequest(system, credentials, 'GET /papers/a?acl')).status, 200)
  await deny('object.read')
  assert.equal((await signedRequest(system, credentials, 'GET /papers/a?acl')).code, 'AccessDenied')
  await api(`PUT /buckets/${bucketId}/policy`, { body: { statements: [] } })
})
