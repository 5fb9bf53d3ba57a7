import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { debianProgram } from '#test/support/debian.ts'
import { freePort } from '#test/support/postgres.ts'
import { serveProcess } from '../processes/fixtures/trivet-process.ts'

/** `npm run screenshots`: takes the pictures of the README from a service with demo data. */
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const maxBytes = 200 * 1024
const size = { width: 1440, height: 900 }

const shots: { name: string; colorScheme: 'light' | 'dark'; show: (page: Page) => Promise<void> }[] = [
  {
    name: 'console-light',
    colorScheme: 'light',
    async show(page) {
      await page.getByRole('link', { name: 'photos' }).click()
      await page.waitForURL(/buckets\/[\w-]{36}/)
      await page.goto(`${page.url().split('?')[0]}?prefix=2026%2Fdusk%2F&object=2026%2Fdusk%2Fharbour-1.png`)
      await page.getByRole('dialog').locator('img').waitFor()
    },
  },
  {
    name: 'console-dark',
    colorScheme: 'dark',
    async show(page) {
      await page.getByRole('link', { name: 'contracts' }).click()
      await page.getByRole('tab', { name: 'Policy' }).click()
      await page.getByRole('button', { name: 'JSON' }).click()
      await page.getByLabel('Statements', { exact: true }).fill(JSON.stringify(statements))
      await page.getByRole('button', { name: 'Save policy' }).click()
      await page.getByText('Policy saved').waitFor()
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await page.getByLabel('Object').fill('2026/tern-and-sons.pdf')
      await page.getByLabel('Action').selectOption('object.delete')
      await page.getByRole('button', { name: 'Simulate' }).click()
      await page.getByText('Decided by this statement').waitFor()
      await page.getByRole('heading', { name: 'contracts' }).click()
    },
  },
]

const members = { subjectType: 'role', subjectId: 'member' }
const statements = [
  { effect: 'allow', action: 'object.read', resourceType: 'object', resourceId: '2025/*', ...members },
  { effect: 'deny', action: 'object.delete', resourceType: 'object', resourceId: '2026/*', ...members },
  {
    effect: 'deny',
    action: 'object.purge',
    resourceType: 'object',
    resourceId: '*',
    subjectType: 'role',
    subjectId: 'admin',
  },
  {
    effect: 'allow',
    action: 'object.write',
    resourceType: 'object',
    resourceId: 'drafts/*',
    ...members,
    conditions: { ipCidr: '10.0.0.0/8', maxSizeBytes: 10_485_760 },
  },
]

const signIn = async (page: Page, address: string) => {
  await page.goto(address)
  await page.getByLabel('Email').fill('ada@harbour.example')
  await page.getByLabel('Password').fill('trivet-demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('table', { name: 'Buckets' }).waitFor()
}

const take = async (address: string) => {
  const executablePath = await debianProgram('chromium', 'chromium')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  await mkdir(folder, { recursive: true })
  try {
    for (const { name, colorScheme, show } of shots) {
      const page = await browser.newPage({
        viewport: size,
        deviceScaleFactor: 1.25,
        colorScheme,
        reducedMotion: 'reduce',
      })
      await signIn(page, address)
      await show(page)
      await page.waitForTimeout(1000)
      // Few colours: a palette makes it a third of the size, and nobody sees it.
      const file = await sharp(await page.screenshot())
        .png({ palette: true, effort: 10 })
        .toBuffer()
      if (file.length > maxBytes) throw new Error(`${name} has ${file.length} bytes`)
      await writeFile(join(folder, `${name}.png`), file)
      process.stdout.write(`${name}.png, ${(file.length / 1024).toFixed(0)} KiB\n`)
    }
  } finally {
    await browser.close()
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'trivet-screenshots-'))
const env = { TRIVET_DATA: dataDir, TRIVET_SERVICES: 'storage', STORAGE_PORT: String(await freePort()) }
const server = await serveProcess(env)
try {
  await promisify(execFile)(process.execPath, ['src/main.ts', 'demo'], { env: { ...process.env, ...env } })
  await take(`${server.urls.storage}/console`)
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
}
