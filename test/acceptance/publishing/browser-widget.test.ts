import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { publisher } from '#test/support/factories.ts'
import { writePost } from '#test/support/publishing.ts'
import { jpeg } from './support/images.ts'

const system = await boot()
const { publishing } = system
const mira = await publisher(system, { handle: 'mira_frames', username: 'Mira' })
const write = (content: string) => writePost(mira, content)
await write('One short post')
const browser = await openBrowser()

let hosted = ''
const host = createServer((_, res) =>
  res
    .setHeader('content-type', 'text/html; charset=utf-8')
    .end(`<!doctype html><html><head><link rel="icon" href="data:,"></head><body>${hosted}</body></html>`),
)
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
after(() => host.close())
const hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`
const tag = (attributes: string) => `<script src="${publishing.base}/widget/feed.js" ${attributes}></script>`

const open = async (markup: string, options = {}) => {
  hosted = markup
  const opened = await openPage(browser, { viewport: { width: 800, height: 2000 }, ...options })
  await opened.page.goto(hostUrl)
  return opened
}
type Opened = Awaited<ReturnType<typeof open>>['page']
const heights = (page: Opened) =>
  page.$$eval('iframe', (frames) => frames.map((frame) => frame.getBoundingClientRect().height))
/** Frames are as high as what is in them. */
const settled = async (page: Opened, count: number) => {
  await page.waitForFunction(
    `(() => {
      const frames = [...document.querySelectorAll('iframe')]
      return frames.length === ${count} && frames.every((frame) => frame.style.height !== '240px')
    })()`,
    undefined,
    { timeout: 8_000 },
  )
  for (const frame of page.frames().slice(1)) {
    const inner = await frame.evaluate('document.documentElement.offsetHeight')
    const outer = await (await frame.frameElement()).evaluate(
      (e) => (e as unknown as { clientHeight: number }).clientHeight,
    )
    assert.ok(Math.abs(Number(inner) - outer) <= 1, `${inner} within ${outer}`)
  }
}

test('widget tags on another site become frames: plain, async, deferred and added by a script', async () => {
  const { page, troubles } = await open(`
    <div id="a">${tag('data-user="mira_frames"')}</div>
    <div id="b">${tag('async data-user="mira_frames" data-theme="dark" data-count="3" data-width="320"')}</div>
    <div id="c">${tag('defer data-user="@mira_frames" data-theme="light" data-width="50%"')}</div>
    <div id="d"></div>
    <script>
      const own = document.createElement('script')
      own.src = '${publishing.base}/widget/feed.js'
      own.dataset.user = 'mira_frames'
      own.dataset.width = 'calc(10em + 100px)'
      document.getElementById('d').append(own)
    </script>`)
  await settled(page, 4)
  assert.equal(await page.$('script[data-user]'), null)
  const frames = await page.$$eval('iframe', (all) =>
    all.map((frame) => ({
      place: frame.parentElement!.id,
      width: frame.style.width,
      src: new URL(frame.src).search,
      sandbox: frame.getAttribute('sandbox'),
      loading: frame.loading,
      title: frame.title,
    })),
  )
  const sandbox = 'allow-scripts allow-popups allow-popups-to-escape-sandbox'
  const common = { sandbox, loading: 'lazy', title: 'Posts by @mira_frames' }
  assert.deepEqual(frames, [
    { place: 'a', width: '100%', src: '?theme=auto&count=5', ...common },
    { place: 'b', width: '320px', src: '?theme=dark&count=3', ...common },
    { place: 'c', width: '50%', src: '?theme=light&count=5', ...common },
    { place: 'd', width: 'calc(10em + 100px)', src: '?theme=auto&count=5', ...common },
  ])
  assert.deepEqual(await page.context().cookies(), [])
  assert.deepEqual(troubles, [])
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`widgets have the theme they were given, with transparent corners (${colorScheme})`, async () => {
    const themes = ['auto', 'dark', 'light'].map((theme) =>
      tag(`data-user="mira_frames" data-theme="${theme}"`),
    )
    const ground = '<style>body { margin: 20px; background: #f3e9d2 }</style>'
    const { page } = await open(ground + themes.join(''), { colorScheme })
    await settled(page, 3)
    const colours = await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.evaluate("getComputedStyle(document.querySelector('.card')).backgroundColor")),
    )
    const [light, dark] = ['rgb(255, 255, 255)', 'rgb(29, 29, 27)']
    assert.deepEqual(colours, [colorScheme === 'dark' ? dark : light, dark, light])
    const pixel = (x: number, y: number) => page.screenshot({ clip: { x, y, width: 2, height: 2 } })
    const outside = await pixel(4, 4)
    for (const frame of await page.$$('iframe')) {
      const { x, y } = (await frame.boundingBox())!
      assert.deepEqual(await pixel(x, y), outside, (await frame.getAttribute('src'))!)
    }
  })

test('widgets can be added, moved and removed after the page has loaded', async () => {
  const { page, troubles } = await open('<div id="a"></div><div id="b" style="width: 160px"></div>')
  const add = (id: string) =>
    page.evaluate(`{
      const own = document.createElement('script')
      Object.assign(own.dataset, { user: 'mira_frames', count: '2' })
      own.src = '${publishing.base}/widget/feed.js'
      document.getElementById('${id}').append(own)
    }`)
  await add('a')
  await settled(page, 1)
  await add('a')
  await settled(page, 2)
  const [wide] = await heights(page)
  await page.evaluate(`document.getElementById('b').append(document.querySelector('iframe'))`)
  await page.waitForFunction(`document.querySelector('#b iframe').clientHeight > ${wide}`, undefined, {
    timeout: 8_000,
  })
  await page.evaluate(`document.querySelectorAll('iframe').forEach((frame) => frame.remove())`)
  await add('b')
  await settled(page, 1)
  assert.deepEqual(troubles, [])
})

test('widget frames resize with their content and ignore messages from other windows', async () => {
  const { page, troubles } = await open(tag('data-user="mira_frames"'))
  await settled(page, 1)
  const [before] = await heights(page)
  await write(
    'A second post, which is quite a bit longer than the first one and takes more lines to show. '.repeat(2),
  )
  await page.reload()
  await settled(page, 1)
  const [grown] = await heights(page)
  assert.ok(grown! > before!)
  await page.setViewportSize({ width: 360, height: 2000 })
  await page.waitForFunction(`document.querySelector('iframe').clientHeight > ${grown}`)
  const [narrow] = await heights(page)
  await page.evaluate(`
    for (const data of [{ trivetHeight: 9_999 }, null, 'x', { trivetHeight: 'x' }, { trivetHeight: -1 }]) postMessage(data, '*')
    new Promise((resolve) => setTimeout(resolve, 100))`)
  assert.deepEqual(await heights(page), [narrow])
  assert.deepEqual(troubles, [])
})

test('hostile and malformed attributes of the widget tag do no harm', async () => {
  const { page, troubles } = await open(
    [
      `data-user='"><img src=x onerror=alert(1)>' data-theme="x" data-count="-5"`,
      `data-user="mira_frames" data-width="1px;position:fixed;inset:0" data-count="999"`,
      `data-user="mira_frames" data-width="expression(alert(1))" data-count="abc"`,
      `data-user="../../sign-in" data-width="100%"`,
      `data-theme="dark"`,
    ]
      .map(tag)
      .join(''),
  )
  await page.waitForFunction(`document.querySelectorAll('iframe').length === 4`)
  const frames = await page.$$eval('iframe', (all) =>
    all.map(({ style, src }) => [
      style.width,
      style.position,
      new URL(src).pathname,
      new URL(src).searchParams.get('count'),
    ]),
  )
  assert.deepEqual(frames, [
    ['100%', '', '/widget/embed/%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E', '1'],
    ['100%', '', '/widget/embed/mira_frames', '20'],
    ['100%', '', '/widget/embed/mira_frames', '5'],
    ['100%', '', '/widget/embed/..%2F..%2Fsign-in', '5'],
  ])
  assert.match((await page.textContent('p'))!, /needs the attribute data-user/)
  assert.deepEqual(
    troubles.filter((text) => !text.includes('404') && !text.includes('data-user')),
    [],
  )
  assert.equal(troubles.filter((text) => text.includes('data-user')).length, 1)
})

test('without JavaScript the widget is a link, and the embed page is readable', async () => {
  const snippet = `${tag('async data-user="mira_frames"')}<noscript><a href="${publishing.base}/@mira_frames">Posts by @mira_frames</a></noscript>`
  const { page } = await open(snippet, { javaScriptEnabled: false })
  await page.click('noscript a, a')
  assert.equal(page.url(), `${publishing.base}/@mira_frames`)
  await page.goto(`${publishing.base}/widget/embed/mira_frames`)
  assert.match((await page.textContent('main'))!, /One short post/)
})

test('the frame shows an uploaded picture, although its sandbox has no origin', async () => {
  const wim = await publisher(system, { handle: 'wim_framed' })
  await writePost(wim, 'Seen elsewhere')
  await wim.api('PUT /api/users/me/avatar', { raw: Uint8Array.from(await jpeg()) })
  const { page, troubles } = await open(tag('data-user="wim_framed"'))
  const image = page.frameLocator('iframe').locator('.head img.avatar')
  await image.waitFor()
  const width = await image.evaluate(async (element) => {
    const picture = element as unknown as { decode(): Promise<void>; naturalWidth: number }
    await picture.decode().catch(() => {})
    return picture.naturalWidth
  })
  assert.equal(width, 96)
  assert.deepEqual(troubles, [])
})
