import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { boot } from '#test/support/boot.ts'
import { openBrowser, openPage } from '#test/support/browser.ts'
import { password, storageOwner } from '#test/support/factories.ts'
import { addMember } from '#test/support/storage.ts'

const desk = { width: 1440, height: 900 }

/** A service with a console, and a browser. Once per file. */
export const startConsole = async (env: Record<string, string> = {}) => {
  const system = await boot({ env: { TRIVET_SERVICES: 'storage', ...env } })
  const browser = await openBrowser()
  const root = system.urls.storage as string
  return { system, browser, root, address: (path = '') => `${root}/console${path}` }
}

export type ConsoleUnderTest = Awaited<ReturnType<typeof startConsole>>

/** A page of the console, without a session. `troubles` collects what the browser's console shows. */
export const openConsole = async (
  { browser, address }: ConsoleUnderTest,
  path = '',
  options: BrowserContextOptions = {},
) => {
  const opened = await openPage(browser, { viewport: desk, reducedMotion: 'reduce', ...options })
  await opened.page.goto(address(path))
  return opened
}

/** Signs in by the page's own form. */
export const signIn = async (page: Page, email: string, secret = password) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** A new organization, and a page on which its owner is signed in. */
export const openAsOwner = async (console: ConsoleUnderTest, path = '') => {
  const owner = await storageOwner(console.system)
  return { owner, ...(await openAs(console, owner.email, path)) }
}

/** A page on which somebody is signed in. */
export const openAs = async (console: ConsoleUnderTest, email: string, path = '') => {
  const opened = await openConsole(console, path)
  await signIn(opened.page, email)
  return opened
}

/** A further page in the same browser: it shares the session. */
export const openTab = async (page: Page, url: string) => {
  const tab = await page.context().newPage()
  await tab.goto(url)
  return tab
}

/** A page on which a member of the organization is signed in. */
export const openAsMember = async (
  console: ConsoleUnderTest,
  owner: Awaited<ReturnType<typeof storageOwner>>,
  role: 'admin' | 'member',
  path = '',
) => {
  const member = await addMember(console.system, owner.api, role)
  return { member, ...(await openAs(console, member.email, path)) }
}

/**
 * Fails on anything in the browser's console. What the user provoked may show in the network log: `refused` are the
 * statuses of such requests.
 */
export const assertQuiet = (troubles: string[], refused: number[] = []) => {
  const isRefusal = (text: string) => refused.some((status) => text.includes(`status of ${status}`))
  assert.deepEqual(
    troubles.filter((text) => !isRefusal(text)),
    [],
  )
}

export type { Page }
