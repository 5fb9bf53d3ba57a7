import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { shop } from '#test/acceptance/inventory/scene.ts'
import { boot } from '#test/support/boot.ts'
import { openBrowser } from '#test/support/browser.ts'
import { eventually } from '#test/support/eventually.ts'
import { password } from '#test/support/factories.ts'
import { type ConsoleUnderTest, openAs } from './console.ts'

/** The inventory service with its console, and a browser. Once per file. */
export const startInventory = async (
  env: Record<string, string> = {},
  open = openBrowser,
): Promise<ConsoleUnderTest> => {
  const system = await boot({ env: { TRIVET_SERVICES: 'inventory', ...env } })
  const browser = await open()
  const root = system.urls.inventory as string
  return { system, browser, root, address: (path = '') => `${root}/console${path}` }
}

/** A new company, and a page on which its Admin is signed in. */
export const openShop = async (service: ConsoleUnderTest, path = '') => {
  const company = await shop(service.system)
  return { company, ...(await openAs(service, company.email, path)) }
}

/** A page on which somebody with another role is signed in. */
export const openColleague = async (
  service: ConsoleUnderTest,
  company: Awaited<ReturnType<typeof shop>>,
  role: 'Manager' | 'Staff',
  path = '',
) => {
  const email = `${role.toLowerCase()}-of-${company.email}`
  await company.created('POST /api/users', { name: `The ${role}`, email, password, role })
  return openAs(service, email, path)
}

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** The row of a table in which somebody reads this text. */
export const row = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text })

/** Does something while every request of the page to these addresses is delayed by a second. */
export const slowly = async (page: Page, addresses: RegExp, act: () => Promise<void>) => {
  await page.route(addresses, async (route) => {
    await pause(1_000)
    await route.continue()
  })
  try {
    await act()
  } finally {
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/** Waits until an expression is true in the page. */
export const until = (page: Page, expression: string) =>
  eventually(async () => assert.ok(await page.evaluate(expression), expression))

/** Waits until the control with this label has the focus. */
export const untilFocused = (page: Page, label: string) =>
  until(page, `document.activeElement?.getAttribute('aria-label') === ${JSON.stringify(label)}`)
