import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const shots = fileURLToPath(new URL('../../shots/', import.meta.url))

/** Pictures take about a third of the time, for nothing where nobody will look at them. */
const takesShots = process.env.TRIVET_TEST_SHOTS !== 'off'

const themes = ['light', 'dark'] as const
const sizes = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
]

/** Of what axe looks at, only contrast depends on the theme. */
const rulesOf = (theme: (typeof themes)[number]) => (theme === 'dark' ? { runOnly: ['color-contrast'] } : {})

const violationsOf = async (page: Page, theme: (typeof themes)[number]) => {
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, ...rulesOf(theme) })
  // The content security policy applies to what a page loads itself, not to what the debugger runs in it.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const found = (await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join('; ')))`,
  )) as string[]
  return found
}

/** Nothing may stick out to the right, where only a scrollbar of the whole page would lead. */
const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/**
 * Looks at a screen as it is now: in light and dark, on a phone and on a desk. Fails on what axe finds and on what sticks
 * out, and writes pictures to `test/shots/`, which people should look at, too (not with `TRIVET_TEST_SHOTS=off`).
 */
export const inspect = async (page: Page, name: string) => {
  await mkdir(shots, { recursive: true })
  const before = page.viewportSize()
  const faults: string[] = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const which = `${name}-${colorScheme}-${size.width}`
      if (takesShots) await page.screenshot({ path: `${shots}${which}.png` })
      for (const violation of await violationsOf(page, colorScheme)) faults.push(`${which}: ${violation}`)
      const overflow = await overflowOf(page)
      if (overflow > 0) faults.push(`${which}: ${overflow} px too wide`)
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  if (before) await page.setViewportSize(before)
  assert.deepEqual(faults, [])
}
