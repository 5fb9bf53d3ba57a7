import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import sharp from 'sharp'
import { uuidv7 } from '#platform/ids.ts'
import { publishing as service } from '#publishing/app.ts'
import { files } from '#publishing/pictures/files.ts'
import { findDamage, removeReleased, sweepPictures } from '#publishing/pictures/upkeep.ts'
import {
  bomb,
  inFormat,
  jpeg,
  paddedTo,
  photoWithPlace,
  pictureForm,
} from '#test/acceptance/publishing/support/images.ts'
import { boot } from '#test/support/boot.ts'
import { until } from '#test/support/eventually.ts'
import { password, publisher } from '#test/support/factories.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_pics', username: 'Mira' })
const maxBytes = 2 * 1024 * 1024

type Api = typeof mira.api
const raw = (bytes: Buffer, type = 'image/jpeg') => ({
  raw: Uint8Array.from(bytes),
  headers: { 'content-type': type },
})
const upload = (api: Api, kind: 'avatar' | 'banner', bytes: Buffer, type?: string) =>
  api(`PUT /api/users/me/${kind}`, raw(bytes, type))
const uploaded = async (api: Api, kind: 'avatar' | 'banner', bytes: Buffer): Promise<string> => {
  const { status, body, text } = await upload(api, kind, bytes)
  assert.equal(status, 200, text)
  return body.data[`${kind}_url`]
}
const fetched = async (url: string) => {
  const response = await fetch(url)
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}
const colourAt = async (bytes: Buffer, x: number, y: number) => {
  const [red = 0, green = 0, blue = 0] = await sharp(bytes)
    .extract({ left: Math.round(x), top: Math.round(y), width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer()
  if (red > 180 && green > 180) return 'yellow'
  return red > green && red > blue ? 'red' : green > blue ? 'green' : 'blue'
}
const pictureRows = async (handle: string) =>
  (
    await system.sql<{ kind: string; path: string }[]>`
      select kind, path from publishing.pictures p join publishing.users u on u.id = p.user_id
      where u.handle = ${handle} order by kind`
  ).map(({ kind, path }) => ({ kind, path }))
const suspend = async (handle: string) => {
  const admin = await publisher(system)
  await system.sql`update publishing.users set is_admin = true where id = ${admin.user.id}`
  assert.equal((await admin.api(`POST /api/admin/users/${handle}/suspend`)).status, 200)
  return admin
}
const ctx = service.context(system.platform)
const { engine } = files(ctx)
const filesHeld = async () => (await Array.fromAsync(engine.list())).map(({ id }) => id)
const filesOf = (userId: number, kind: string) => system.sql<
  { id: string; size: number; variant: string; path: string }[]
>`
  select f.id, f.size_bytes as size, f.variant, p.path
  from publishing.pictures p join publishing.picture_files f using (path)
  where p.user_id = ${userId} and p.kind = ${kind} order by f.id`
const overwrite = (id: string, bytes: Buffer) => engine.write(id, Readable.from([bytes]))
const findings = () => service.verify(service.context(system.platform))

test('an uploaded avatar is public in two sizes, with headers for caches and other sites', async () => {
  const url = await uploaded(mira.api, 'avatar', await jpeg())
  assert.match(url, new RegExp(`^${publishing.base}/media/[0-9a-f]{32}-400\\.webp$`))
  for (const [address, side] of [
    [url, 400],
    [url.replace('-400.', '-96.'), 96],
  ] as const) {
    const { status, headers, bytes } = await fetched(address)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'image/webp')
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal(headers.get('content-security-policy'), 'sandbox')
    assert.equal(Number(headers.get('content-length')), bytes.length)
    const { width, height, format } = await sharp(bytes).metadata()
    assert.deepEqual([format, width, height], ['webp', side, side])
    const etag = headers.get('etag')!
    const again = await fetch(address, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
    assert.equal((await fetch(address, { method: 'HEAD' })).status, 200)
  }
  assert.equal((await publishing('GET /api/users/mira_pics')).body.data.avatar_url, url)
  const { body } = await mira.api('POST /api/posts', { body: { content: 'with a face' } })
  const post = (await publishing(`GET /api/posts/${body.data.post.id}`)).body.data
  assert.equal(post.author.avatar_url, url)
})

test('a banner is cropped to the middle, in two sizes', async () => {
  const url = await uploaded(mira.api, 'banner', await jpeg(1500, 1500))
  const large = await fetched(url)
  const { width, height } = await sharp(large.bytes).metadata()
  assert.deepEqual([width, height], [1500, 500])
  assert.deepEqual(
    [await colourAt(large.bytes, 100, 50), await colourAt(large.bytes, 1400, 450)],
    ['red', 'yellow'],
  )
  const small = await sharp((await fetched(url.replace('-1500.', '-600.'))).bytes).metadata()
  assert.deepEqual([small.width, small.height], [600, 200])
})

test('JPEG, PNG, WebP, GIF and AVIF are accepted, whatever type the client names', async () => {
  for (const [format, type] of [
    ['png', 'image/jpeg'],
    ['webp', 'text/plain'],
    ['gif', 'application/octet-stream'],
    ['avif', 'application/json'],
  ] as const) {
    const { status, text } = await upload(mira.api, 'avatar', await inFormat(format), type)
    assert.equal(status, 200, `${format} as ${type}: ${text}`)
  }
  const { status } = await mira.api('PUT /api/users/me/avatar', { raw: Uint8Array.from(await jpeg()) })
  assert.equal(status, 200, 'without a type')
})

test('metadata such as the place is removed, and the orientation applied', async () => {
  const photo = await photoWithPlace()
  const before = await sharp(photo).metadata()
  assert.equal(before.orientation, 6)
  assert.ok(photo.includes('Secret Camera') && before.exif)
  const url = await uploaded(mira.api, 'avatar', photo)
  for (const address of [url, url.replace('-400.', '-96.')]) {
    const { bytes } = await fetched(address)
    const after = await sharp(bytes).metadata()
    assert.deepEqual(
      [after.exif, after.xmp, after.icc, after.iptc, after.orientation],
      [undefined, undefined, undefined, undefined, undefined],
    )
    assert.ok(!bytes.includes('Secret') && !bytes.includes('EXIF'))
    // Turned by a quarter to the right: what was at the bottom left is at the top left.
    const side = after.width
    assert.deepEqual(
      [
        await colourAt(bytes, side * 0.1, side * 0.1),
        await colourAt(bytes, side * 0.9, side * 0.1),
        await colourAt(bytes, side * 0.1, side * 0.9),
      ].map(String),
      ['blue', 'red', 'yellow'],
    )
  }
})

test('a picture may have 2 MiB, and one byte more is refused with 413', async () => {
  const image = await jpeg()
  const most = paddedTo(image, maxBytes)
  assert.equal(most.length, maxBytes)
  const url = await uploaded(mira.api, 'avatar', most)
  assert.equal((await mira.api('PUT /api/users/me/avatar', pictureForm(most))).status, 200, 'as a form')
  const more = paddedTo(image, maxBytes + 1)
  const chunked = new ReadableStream({
    start(controller) {
      controller.enqueue(Uint8Array.from(more))
      controller.close()
    },
  })
  for (const options of [raw(more), pictureForm(more), { raw: chunked }]) {
    const { status, body } = await mira.api('PUT /api/users/me/avatar', options)
    assert.equal(status, 413)
    assert.match(body.message, /at most 2 MiB/)
  }
  assert.equal((await mira.api('GET /api/users/me')).body.data.avatar_url, url)
})

test('what is not an image is refused with 415, and a broken image with 422', async () => {
  const before = (await mira.api('GET /api/users/me')).body.data.avatar_url
  const image = await jpeg()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const bytes of [svg, Buffer.from('{}'), Buffer.from('GIF'), Buffer.from('%PDF-1.7'), Buffer.alloc(9)])
    assert.equal((await upload(mira.api, 'avatar', bytes, 'image/png')).status, 415, String(bytes))
  const broken = {
    truncated: image.subarray(0, image.length / 2),
    header: image.subarray(0, 4),
    gif: Buffer.from('GIF89a'),
    png: (await inFormat('png')).subarray(0, 200),
    webp: (await inFormat('webp')).subarray(0, 60),
    avif: (await inFormat('avif')).subarray(0, 100),
    disguised: Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), svg]),
  }
  for (const [name, bytes] of Object.entries(broken)) {
    const { status, body } = await upload(mira.api, 'avatar', bytes)
    assert.equal(status, 422, `${name}: ${JSON.stringify(body)}`)
    assert.equal(body.errors[0].field, 'picture')
  }
  assert.equal((await upload(mira.api, 'avatar', Buffer.alloc(0))).status, 422, 'empty')
  assert.equal((await mira.api('PUT /api/users/me/avatar')).status, 422, 'no body')
  const noFile = new FormData()
  noFile.append('picture', 'text')
  assert.equal((await mira.api('PUT /api/users/me/avatar', { raw: noFile })).status, 422, 'no file')
  const notAForm = { raw: 'x', headers: { 'content-type': 'multipart/form-data; boundary=y' } }
  assert.equal((await mira.api('PUT /api/users/me/avatar', notAForm)).status, 400)
  assert.equal((await mira.api('GET /api/users/me')).body.data.avatar_url, before)
})

test('a few kilobytes that would unpack to 900 megapixels are refused', async () => {
  const bytes = bomb()
  assert.ok(bytes.length < maxBytes)
  const { status, body } = await upload(mira.api, 'banner', bytes)
  assert.equal(status, 422)
  assert.match(body.message, /at most 25 megapixels/)
})

test('only who is signed in can upload, and with a token, not with a key', async () => {
  const image = await jpeg()
  for (const kind of ['avatar', 'banner'] as const) {
    assert.equal((await upload(publishing, kind, image)).status, 401)
    assert.equal((await publishing(`DELETE /api/users/me/${kind}`)).status, 401)
  }
  const { key } = (await mira.api('POST /api/developer/keys', { body: { name: 'a script' } })).body.data
  assert.equal((await upload(publishing.with({ 'x-api-key': key }), 'avatar', image)).status, 401)
  assert.equal((await mira.api('POST /api/users/me/avatar', raw(image))).status, 405)
})

test('a replaced or removed picture is gone at once, and only that one', async () => {
  const ana = await publisher(system, { handle: 'ana_pics' })
  const first = await uploaded(ana.api, 'avatar', await jpeg())
  const banner = await uploaded(ana.api, 'banner', await jpeg(900, 300))
  const second = await uploaded(ana.api, 'avatar', await jpeg(500, 300))
  assert.notEqual(first, second)
  assert.equal((await fetched(first)).status, 404)
  assert.equal((await fetched(first.replace('-400.', '-96.'))).status, 404)
  assert.equal((await fetched(second)).status, 200)
  const { body } = await ana.api('DELETE /api/users/me/avatar')
  assert.equal(body.data.avatar_url, null)
  assert.equal((await fetched(second)).status, 404)
  assert.equal((await fetched(banner)).status, 200)
  assert.equal((await ana.api('DELETE /api/users/me/avatar')).status, 200, 'nothing to remove')
  assert.deepEqual(await pictureRows('ana_pics'), [{ kind: 'banner', path: new URL(banner).pathname }])
})

test('an address given by PATCH replaces an uploaded picture, and its own address keeps it', async () => {
  const zoe = await publisher(system, { handle: 'zoe_pics' })
  const url = await uploaded(zoe.api, 'avatar', await jpeg())
  const same = await zoe.api('PATCH /api/users/me', { body: { avatar_url: url, bio: 'kept' } })
  assert.deepEqual([same.body.data.avatar_url, same.body.data.bio], [url, 'kept'])
  assert.equal((await fetched(url)).status, 200)
  const elsewhere = 'https://pictures.example/zoe.png'
  const changed = await zoe.api('PATCH /api/users/me', { body: { avatar_url: elsewhere } })
  assert.equal(changed.body.data.avatar_url, elsewhere)
  assert.equal((await fetched(url)).status, 404)
  assert.deepEqual(await pictureRows('zoe_pics'), [])
  const again = await uploaded(zoe.api, 'avatar', await jpeg())
  assert.equal(again, url, 'the same picture has the same address')
  assert.equal((await zoe.api('PATCH /api/users/me', { body: { avatar_url: null } })).status, 200)
  assert.deepEqual(await pictureRows('zoe_pics'), [])
})

test('two accounts with the same picture do not depend on each other', async () => {
  const [one, two] = [await publisher(system), await publisher(system)]
  const image = await jpeg()
  const [mine, theirs] = [await uploaded(one.api, 'avatar', image), await uploaded(two.api, 'avatar', image)]
  assert.notEqual(mine, theirs)
  await one.api('DELETE /api/users/me/avatar')
  assert.deepEqual([(await fetched(mine)).status, (await fetched(theirs)).status], [404, 200])
})

test('pictures of suspended accounts are not served, and those of deleted accounts are deleted', async () => {
  const rex = await publisher(system, { handle: 'rex_pics' })
  const url = await uploaded(rex.api, 'avatar', await jpeg())
  assert.equal((await fetched(url)).status, 200)
  const admin = await suspend('rex_pics')
  assert.equal((await fetched(url)).status, 404)
  assert.equal((await admin.api('POST /api/admin/users/rex_pics/unsuspend')).status, 200)
  assert.equal((await fetched(url)).status, 200)
  assert.equal((await rex.api('DELETE /api/users/me', { body: { password } })).status, 200)
  assert.equal((await fetched(url)).status, 404)
  const rows = await system.sql`select from publishing.pictures where user_id = ${rex.user.id}`
  assert.equal(rows.length, 0)
})

test('of uploads, removals and changes at the same time one wins as a whole', async () => {
  const sam = await publisher(system, { handle: 'sam_pics' })
  const images = [await jpeg(), await inFormat('webp', 90, 200)]
  await Promise.all([
    ...images.map((image) => upload(sam.api, 'avatar', image)),
    ...images.map((image) => upload(sam.api, 'banner', image)),
    sam.api('DELETE /api/users/me/avatar'),
    sam.api('PATCH /api/users/me', { body: { banner_url: 'https://pictures.example/b.png' } }),
  ])
  const { avatar_url, banner_url } = (await sam.api('GET /api/users/me')).body.data
  const rows = await pictureRows('sam_pics')
  for (const [kind, url] of Object.entries({ avatar: avatar_url, banner: banner_url }) as [
    string,
    string,
  ][]) {
    const row = rows.find((each) => each.kind === kind)
    if (!url?.startsWith(publishing.base)) assert.equal(row, undefined)
    else assert.deepEqual([row?.path, (await fetched(url)).status], [new URL(url).pathname, 200])
  }
})

test('another node serves a picture at once, and stops when the account is suspended or shows another', async (t) => {
  const other = await boot({
    t,
    database: { url: system.databaseUrl },
    env: { BLOBS_URL: system.blobsUrl },
  })
  const nia = await publisher(system, { handle: 'nia_pics' })
  const seenThere = async (url: string) => (await other.publishing(`GET ${new URL(url).pathname}`)).status
  const first = await uploaded(nia.api, 'avatar', await jpeg())
  assert.equal(await seenThere(first), 200)
  const profile = (await other.publishing('GET /api/users/nia_pics')).body.data
  assert.equal(profile.avatar_url, other.publishing.base + new URL(first).pathname)
  const second = await uploaded(nia.api, 'avatar', await inFormat('png'))
  await until('the replaced picture is gone', async () => (await seenThere(first)) === 404)
  assert.equal(await seenThere(second), 200)
  await suspend('nia_pics')
  await until('the picture is no longer served', async () => (await seenThere(second)) === 404)
})

test('unknown pictures and odd addresses respond 404', async () => {
  const name = '0'.repeat(32)
  for (const file of [
    `${name}-400.webp`,
    `${name}-401.webp`,
    `${name}.webp`,
    'x',
    `${name}-400.png`,
    '%00',
    '..%2F',
  ])
    assert.equal((await publishing(`GET /media/${file}`)).status, 404, file)
})

test('verify reports an address without its picture, a picture that nobody shows, and changed bytes', async () => {
  const vera = await publisher(system, { handle: 'vera_pics' })
  await uploaded(vera.api, 'avatar', await jpeg())
  await uploaded(vera.api, 'banner', await jpeg())
  assert.deepEqual(await findings(), [])
  const path = `/media/${'1'.repeat(32)}-400.webp`
  const { id } = vera.user
  const [avatar] = await filesOf(vera.user.id, 'avatar')
  const [banner, lost] = await filesOf(vera.user.id, 'banner')
  await overwrite(banner!.id, Buffer.alloc(banner!.size))
  await engine.remove(lost!.id)
  await system.sql`update publishing.users set avatar_url = ${path} where id = ${id}`
  await system.sql`insert into publishing.pictures (user_id, kind, path) values (${id}, 'avatar', ${`${path}x`})`
  const found = await findings()
  assert.deepEqual(found.map(({ invariant, subject }) => `${invariant}: ${subject}`).sort(), [
    `files of pictures: ${banner!.path}`,
    `files of pictures: ${banner!.path}`,
    'pictures: @vera_pics avatar',
    'pictures: @vera_pics avatar',
    'pictures: @vera_pics avatar',
  ])
  assert.ok((await filesHeld()).includes(avatar!.id), 'no longer shown, not yet removed')
  await vera.api('PATCH /api/users/me', { body: { avatar_url: null, banner_url: null } })
  assert.deepEqual(await findings(), [])
  await removeReleased(ctx)
  assert.ok(!(await filesHeld()).includes(avatar!.id))
})

test('the files of a picture are in the blob store for as long as the account shows it', async () => {
  const kim = await publisher(system, { handle: 'kim_pics' })
  await uploaded(kim.api, 'avatar', await jpeg())
  const first = await filesOf(kim.user.id, 'avatar')
  assert.deepEqual(first.map(({ variant }) => variant).sort(), ['large', 'small'])
  for (const { id, size } of first) assert.equal((await engine.readWhole(id, size)).length, size)
  await uploaded(kim.api, 'avatar', await jpeg(300, 500))
  const second = await filesOf(kim.user.id, 'avatar')
  const held = await filesHeld()
  assert.deepEqual(
    [first.some(({ id }) => held.includes(id)), second.every(({ id }) => held.includes(id))],
    [false, true],
  )
  await kim.api('DELETE /api/users/me', { body: { password } })
  await removeReleased(ctx)
  const left = await filesHeld()
  assert.ok(!second.some(({ id }) => left.includes(id)))
})

test('files that no row knows are removed, but not before an upload may have ended', async () => {
  const [orphan, before] = [uuidv7(), await filesHeld()]
  await overwrite(orphan, Buffer.from('left by a crash'))
  await sweepPictures(ctx)
  assert.ok((await filesHeld()).includes(orphan))
  const later = { ...ctx, clock: { now: () => new Date(Date.now() + 2 * 3600_000) } }
  assert.deepEqual(
    (await Array.fromAsync(findDamage(later))).map(({ subject }) => subject),
    [`file ${orphan}`],
  )
  await sweepPictures(later)
  assert.deepEqual((await filesHeld()).sort(), before.sort())
})

test('while a backup runs, the files of a removed picture stay', async () => {
  const lou = await publisher(system, { handle: 'lou_pics' })
  const url = await uploaded(lou.api, 'avatar', await jpeg())
  const mine = await filesOf(lou.user.id, 'avatar')
  await system.sql`update platform.leases set until = now() + interval '1 hour' where name = 'backup'`
  await lou.api('DELETE /api/users/me/avatar')
  assert.equal((await fetched(url)).status, 404)
  const held = await filesHeld()
  assert.ok(mine.every(({ id }) => held.includes(id)))
  await system.sql`update platform.leases set until = now() where name = 'backup'`
  await removeReleased(ctx)
  const left = await filesHeld()
  assert.ok(!mine.some(({ id }) => left.includes(id)))
})

test('a picture is refused with 507 while the disk is nearly full, and the old one stays', async (t) => {
  const env = { BLOBS_URL: system.blobsUrl, MIN_FREE_BYTES: String(Number.MAX_SAFE_INTEGER) }
  const full = await boot({ t, database: { url: system.databaseUrl }, env })
  const pat = await publisher(system, { handle: 'pat_pics' })
  const url = await uploaded(pat.api, 'avatar', await jpeg())
  const there = full.publishing.with({ authorization: `Bearer ${pat.token}` })
  const { status, body } = await upload(there, 'avatar', await jpeg(300, 500))
  assert.deepEqual([status, body.success], [507, false])
  assert.equal((await fetched(url)).status, 200)
})

test('a picture whose file is lost responds 500, and another upload repairs it', async () => {
  const max = await publisher(system, { handle: 'max_pics' })
  const url = await uploaded(max.api, 'avatar', await jpeg())
  for (const { id } of await filesOf(max.user.id, 'avatar')) await engine.remove(id)
  assert.equal((await fetched(url)).status, 500)
  assert.equal(await uploaded(max.api, 'avatar', await jpeg()), url)
  assert.equal((await fetched(url)).status, 200)
})
