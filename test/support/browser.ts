import { after } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { debianProgram } from './debian.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = async (more: string[] = []): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: await debianProgram('chromium', 'chromium'),
    args: [...flags, ...more],
  })
  after(() => browser.close())
  return browser
}

/** A page that collects its errors, content security violations and dialogs. */
export const openPage = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const page: Page = await (await browser.newContext(options)).newPage()
  const troubles: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, troubles }
}
