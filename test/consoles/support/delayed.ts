import type { Page } from './console.ts'

/**
 * Holds back what a page reads at these addresses, so that it does not know yet what others have saved. Returns a function
 * that lets it know.
 */
export const delayReads = async (page: Page, addresses: string) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(addresses, async (route) => {
    if (route.request().method() === 'GET') await promise
    await route.continue()
  })
  return resolve
}
