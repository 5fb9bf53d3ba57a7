/** Conveniences only: theme switch, copy buttons, and whether the service is ready. */
import { addCopyButton } from '#platform/web/copy.browser.ts'
import { find, findAll } from '#platform/web/dom.browser.ts'
import { applyStoredTheme, setUpTheme } from '#platform/web/theme.browser.ts'

const showHealth = async (output: HTMLElement) => {
  const isReady = await fetch('readyz').then(
    ({ ok }) => ok,
    () => false,
  )
  output.textContent = isReady ? 'Ready' : 'Not ready'
  output.dataset.outcome = isReady ? 'good' : 'bad'
}

applyStoredTheme()
addEventListener('DOMContentLoaded', () => {
  setUpTheme(find('.theme'))
  findAll('[data-copy]').forEach(addCopyButton)
  void showHealth(find('.health output'))
})
