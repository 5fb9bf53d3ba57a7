import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { cleanUp } from './cleanup.ts'
import { debianProgram } from './debian.ts'

/** A name for this machine to which browsers give no trust, unlike `localhost`. */
export const untrustedHost = 'trivet.test'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${untrustedHost} 127.0.0.1`,
]

const launch = async (program: string, more: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: await debianProgram(program, program),
    args: [...flags, ...more],
  })

/** A whole Chromium of its own, for what a browser is only given when it starts: a camera, which the shell does not have. */
export const openBrowserWith = async (more: string[]): Promise<Browser> => {
  const browser = await launch('chromium', more)
  cleanUp(() => browser.close())
  return browser
}

let running: Promise<Browser> | undefined

/**
 * The browser of this process. Files that run one after another share it, because starting one takes as long as a test:
 * their pages have contexts of their own, which are closed at the end of the file. It ends with the process.
 */
export const openBrowser = async (): Promise<Browser> => {
  // The same Chromium without windows: tests take little more than half of the CPU time in it.
  if (!(await running)?.isConnected()) running = launch('chromium-headless-shell')
  const browser = (await running) as Browser
  cleanUp(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

/** A page that collects its errors, content security violations and dialogs. */
export const openPage = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext(options)
  // Only a page that hangs takes so long, however busy the machine is.
  context.setDefaultTimeout(120_000)
  const page: Page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    troubles.push(`${message.text()} ${message.location().url}`.trim())
  })
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, troubles }
}
