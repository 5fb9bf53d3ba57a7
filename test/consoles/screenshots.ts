import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { debianPackages, debianProgram } from '#test/support/debian.ts'
import { freePort } from '#test/support/postgres.ts'
import { serveProcess } from '../processes/fixtures/trivet-process.ts'
import { inventoryShots } from './support/inventory-shots.ts'
import { publishingShots } from './support/publishing-shots.ts'
import type { Shot } from './support/shot.ts'
import { storageShots } from './support/storage-shots.ts'

/**
 * `npm run screenshots`: takes the pictures of the README and the guides from services with demo data. With names, such
 * as `npm run screenshots -- inventory`, only those whose names begin so.
 */
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const maxBytes = 200 * 1024
const size = { width: 1440, height: 900 }
const wanted = process.argv.slice(2)

const signedIn = (page: Page) => page.getByRole('table').first().waitFor()
const scenes = [
  {
    service: 'storage',
    entrance: '/console',
    email: 'ada@harbour.example',
    signedIn,
    shots: storageShots,
  },
  {
    service: 'publishing',
    entrance: '/sign-in',
    email: 'mira@pages.example',
    signedIn: (page: Page) => page.waitForURL(/\/home$/),
    shots: publishingShots,
  },
  {
    service: 'inventory',
    entrance: '/console',
    email: 'noor@larkspur.example',
    signedIn,
    shots: inventoryShots,
  },
] as const

type Scene = (typeof scenes)[number]

const signIn = async (page: Page, address: string, { email, signedIn }: Scene) => {
  await page.goto(address)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('trivet-demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signedIn(page)
}

const take = async (browser: Browser, { name, colorScheme, show }: Shot, address: string, scene: Scene) => {
  const page = await browser.newPage({
    viewport: size,
    deviceScaleFactor: 1.25,
    colorScheme,
    reducedMotion: 'reduce',
  })
  await signIn(page, address, scene)
  await show(page)
  await page.waitForTimeout(1000)
  // Few colours: a palette makes it a third of the size, and nobody sees it.
  const file = await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toBuffer()
  if (file.length > maxBytes) throw new Error(`${name} has ${file.length} bytes`)
  await writeFile(join(folder, `${name}.png`), file)
  process.stdout.write(`${name}.png, ${(file.length / 1024).toFixed(0)} KiB\n`)
  await page.context().close()
}

const isWanted = ({ name }: Shot) => wanted.length === 0 || wanted.some((start) => name.startsWith(start))

const dataDir = await mkdtemp(join(tmpdir(), 'trivet-screenshots-'))
const services = scenes.filter(({ shots }) => shots.some(isWanted))
const env = {
  TRIVET_DATA: dataDir,
  TRIVET_SERVICES: services.map(({ service }) => service).join(),
  STORAGE_PORT: String(await freePort()),
  PUBLISHING_PORT: String(await freePort()),
  INVENTORY_PORT: String(await freePort()),
}
const server = await serveProcess(env)
// The demo of publishing is written in several scripts.
await debianPackages({
  'fonts-noto-core': '/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf',
  'fonts-noto-cjk': '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
})
const executablePath = await debianProgram('chromium', 'chromium')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  await promisify(execFile)(process.execPath, ['src/main.ts', 'demo'], { env: { ...process.env, ...env } })
  await mkdir(folder, { recursive: true })
  for (const scene of services)
    for (const shot of scene.shots.filter(isWanted))
      await take(browser, shot, `${server.urls[scene.service]}${scene.entrance}`, scene)
} finally {
  await browser.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
}
