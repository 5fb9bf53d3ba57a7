import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DeleteBucketCommand, DeleteObjectsCommand } from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'
import { versionedBucket } from '#test/support/s3-versions.ts'

// ListObjectVersions: the order of its entries, its pages and its folders.
const system = await boot()
const owner = await s3Owner(system)
const { s3 } = owner
const bucket = await versionedBucket(s3, 'Enabled')
const { Bucket, put, remove, list } = bucket
const refused = (work: Promise<unknown>, name: string) => assert.rejects(work, { name })
const raw = (line: string) => signedRequest(system, owner.credentials, line)

/** What the bucket holds: keys in order, the newest entry of a key first. */
const expected: string[] = []

before(async () => {
  const noted: Record<string, string[]> = {}
  const note = async (key: string, work: Promise<{ VersionId?: string | undefined }>, sign = '') => {
    const { VersionId } = await work
    noted[key] = [`${sign}${key} ${VersionId}`, ...(noted[key] ?? [])]
  }
  for (const key of ['a', 'b/1', 'b/2', 'c d+é', 'e']) await note(key, put(key, key))
  for (const key of ['a', 'b/1', 'b/1', 'e']) await note(key, put(key, `${key} again`))
  for (const key of ['a', 'b/2', 'gone', 'gone']) await note(key, remove(key), '-')
  await note('a', put('a', 'back'))
  for (const key of Object.keys(noted).sort()) expected.push(...(noted[key] ?? []))
})

/** Entries of one response in the order of the document, which the SDK does not show. */
const entriesIn = (xml: string) =>
  [...xml.matchAll(/<(Version|DeleteMarker)><Key>([^<]*)<\/Key><VersionId>([^<]*)</g)].map(
    ([, kind, key, id]) => `${kind === 'DeleteMarker' ? '-' : ''}${key} ${id}`,
  )

test('versions and delete markers are listed in one order: by key, the newest first', async () => {
  const { text } = await raw(`GET /${Bucket}?versions`)
  assert.deepEqual(entriesIn(text), expected)
  const { Versions = [], DeleteMarkers = [], ...page } = await list()
  assert.deepEqual([page.IsTruncated, page.Name, page.MaxKeys], [false, Bucket, 1000])
  const latest = [...Versions, ...DeleteMarkers].filter(({ IsLatest }) => IsLatest)
  assert.deepEqual(latest.map(({ Key }) => Key).sort(), ['a', 'b/1', 'b/2', 'c d+é', 'e', 'gone'])
  const [first] = Versions
  assert.deepEqual([first?.Key, first?.Size, first?.StorageClass], ['a', 4, 'STANDARD'])
  assert.ok(first?.ETag && first.LastModified && first.Owner?.ID)
  assert.ok(DeleteMarkers[0]?.LastModified && DeleteMarkers[0]?.Owner?.ID)
})

test('pages of every size show each entry once, with and without a delimiter', async () => {
  const collect = async (question: object) => {
    const found: string[] = []
    let next: object | null = {}
    while (next) {
      const page: Awaited<ReturnType<typeof list>> = await list({ ...question, ...next })
      const { Versions = [], DeleteMarkers = [], CommonPrefixes = [] } = page
      found.push(
        ...Versions.map(({ Key, VersionId }) => `${Key} ${VersionId}`),
        ...DeleteMarkers.map(({ Key, VersionId }) => `-${Key} ${VersionId}`),
        ...CommonPrefixes.map(({ Prefix }) => `${Prefix}`),
      )
      next = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
        : null
    }
    return found.sort()
  }
  const level = [...expected.filter((entry) => !entry.includes('b/')), 'b/'].sort()
  for (const MaxKeys of [1, 2, 3, 5, 1000]) {
    assert.deepEqual(await collect({ MaxKeys }), [...expected].sort(), `${MaxKeys} at a time`)
    assert.deepEqual(await collect({ MaxKeys, Delimiter: '/' }), level, `${MaxKeys} of a level`)
  }
  const inB = expected.filter((entry) => /^-?b\//.test(entry)).sort()
  assert.deepEqual(await collect({ MaxKeys: 2, Prefix: 'b/', Delimiter: '/' }), inB)
})

test('a page begins after a key, or after a version of it by its id', async () => {
  const idsOfA = expected.filter((entry) => /^-?a /.test(entry))
  const [, second = ''] = idsOfA
  const VersionIdMarker = second.split(' ')[1]
  const from = (query: string) => raw(`GET /${Bucket}?key-marker=a&${query}versions`)
  assert.deepEqual(entriesIn((await from('')).text), expected.slice(idsOfA.length))
  assert.deepEqual(entriesIn((await from(`version-id-marker=${VersionIdMarker}&`)).text), expected.slice(2))
  await refused(list({ KeyMarker: 'a', VersionIdMarker: crypto.randomUUID() }), 'InvalidArgument')
  await refused(list({ KeyMarker: 'a', VersionIdMarker: 'x.y' }), 'InvalidArgument')
  await refused(list({ VersionIdMarker }), 'InvalidArgument')
})

test('keys are encoded if a client asks for it, and limits are checked', async () => {
  const { text } = await raw(`GET /${Bucket}?encoding-type=url&prefix=c&versions`)
  assert.match(text, /<Key>c%20d%2B%C3%A9<\/Key>/)
  assert.match(text, /<EncodingType>url<\/EncodingType>/)
  const none = await list({ MaxKeys: 0 })
  assert.deepEqual([none.Versions, none.IsTruncated], [undefined, false])
  assert.equal((await raw(`GET /${Bucket}?max-keys=-1&versions`)).code, 'InvalidArgument')
  assert.equal((await raw(`GET /${Bucket}?encoding-type=other&versions`)).code, 'InvalidArgument')
  const stranger = await s3Owner(system)
  const foreign = await signedRequest(system, stranger.credentials, `GET /${Bucket}?versions`)
  assert.equal(foreign.code, 'NoSuchBucket')
})

test('a client that deletes every page before it asks for the next one empties the bucket', async () => {
  let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | null = {}
  while (next) {
    const page: Awaited<ReturnType<typeof list>> = await list({ MaxKeys: 2, ...next })
    const Objects = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(({ Key, VersionId }) => ({
      Key,
      VersionId,
    }))
    const { Errors } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }))
    assert.equal(Errors, undefined)
    next = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
      : null
  }
  const left = await list()
  assert.deepEqual([left.Versions, left.DeleteMarkers], [undefined, undefined])
  await s3.send(new DeleteBucketCommand({ Bucket }))
})
