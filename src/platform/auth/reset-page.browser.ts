import { find } from '#platform/web/dom.browser.ts'

const form = find<HTMLFormElement>('form')
const password = find<HTMLInputElement>('input[type=password]')
const revokeKeys = find<HTMLInputElement>('input[type=checkbox]')
const status = find('[role=status]')
const token = new URLSearchParams(location.hash.slice(1)).get('token')

const tell = (text: string, outcome: 'good' | 'bad') => {
  status.textContent = text
  status.dataset.outcome = outcome
}

/** The inputs have the names that the service's API has for them. */
const send = async () => {
  const body = { token, [password.name]: password.value, [revokeKeys.name]: revokeKeys.checked }
  const response = await fetch('', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { message, error }: { message?: string; error?: string } = await response.json()
  if (!response.ok) return tell(error ?? message ?? 'The password was not changed.', 'bad')
  form.hidden = true
  tell('Your password was changed. You can sign in with it now.', 'good')
}

// The token leaves the address bar and the history.
history.replaceState(null, '', location.pathname)
if (!token) {
  form.hidden = true
  tell('This link is not complete. Please open the one in the mail.', 'bad')
}
form.addEventListener('submit', (event) => {
  event.preventDefault()
  send().catch(() => tell('The server did not answer. Please try again.', 'bad'))
})
