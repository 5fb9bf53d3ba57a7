import { type Browser, chromium, type Page } from 'playwright-core'
import { debianProgram } from '#test/support/debian.ts'

const program = 'chromium-headless-shell'

export const openBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await debianProgram(program, program),
    args: ['--no-sandbox', '--disable-gpu'],
  })

/** A page of a console on which somebody is signed in. */
export const signedIn = async (
  browser: Browser,
  root: string,
  person: { email: string; password: string },
) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(root)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return page
}

/** How often in a second a screen can be opened until it shows its first row. */
export const openingRate = (page: Page, root: string, path: string) => async (seconds: number) => {
  let ms = 0
  let opened = 0
  for (; ms < seconds * 1000; opened++) {
    // Going to the address that is shown already would not load it again.
    await page.goto(`${root}/settings`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const began = performance.now()
    await page.goto(root + path)
    await page.locator('main table tbody tr:has(td:nth-child(2))').first().waitFor()
    ms += performance.now() - began
  }
  return (opened * 1000) / ms
}
