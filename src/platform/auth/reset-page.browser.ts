import { find } from '#platform/web/dom.browser.ts'
import { applyStoredTheme, setUpTheme } from '#platform/web/theme.browser.ts'

const token = new URLSearchParams(location.hash.slice(1)).get('token')
// The token leaves the address bar and the history.
history.replaceState(null, '', location.pathname)
applyStoredTheme()

const tell = (text: string, outcome: 'good' | 'bad') => {
  const note = find('.note')
  note.textContent = text
  note.dataset.outcome = outcome
}

/** Shows one of the two forms, or none. */
const show = (id: 'change' | 'again' | null) => {
  for (const each of ['change', 'again']) find(`#${each}`).hidden = each !== id
}

const post = (path: string, body: object) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const seconds = (response: Response) => Number(response.headers.get('retry-after')) || 60
const refusal = async (response: Response) => {
  if (response.status === 429)
    return `Too many attempts. Please wait ${seconds(response)} seconds and try again.`
  if (response.status >= 500) return 'Something went wrong. Please try again.'
  const { error, message }: { error?: string; message?: string } = await response.json()
  return error ?? message ?? 'The password was not changed.'
}

/** The inputs have the names that the service's API has for them. */
const change = async () => {
  const password = find<HTMLInputElement>('#password')
  const revokeKeys = find<HTMLInputElement>('#change input[type=checkbox]')
  const body = { token, [password.name]: password.value, [revokeKeys.name]: revokeKeys.checked }
  const response = await post('', body)
  if (response.ok) {
    show(null)
    return tell(
      'Your password was changed, and every session has ended. You can sign in with it now.',
      'good',
    )
  }
  const text = await refusal(response)
  if (!text.startsWith('token ')) return tell(text, 'bad')
  show('again')
  tell(`This link has expired or was already used. ${anotherOne()}`, 'bad')
}

/** Who has the link that is asked for, where no mail brings it. */
const keeper = () => find('#again').dataset.keeper
const anotherOne = () => (keeper() ? `Ask ${keeper()} for a new one.` : 'We can send you a new one.')

const sendAgain = async () => {
  const response = await post('forgot-password', { email: find<HTMLInputElement>('#email').value })
  if (!response.ok) return tell(await refusal(response), 'bad')
  show(null)
  const found = keeper()
    ? `ask ${keeper()} for the new link: this server sends no mail.`
    : 'a mail with a new link is on its way.'
  tell(`If this address is registered, ${found} It works once, within one hour.`, 'good')
}

const onSubmit = (id: string, work: () => Promise<void>) =>
  find(`#${id}`).addEventListener('submit', (event) => {
    event.preventDefault()
    work().catch(() => tell('The server did not answer. Please try again.', 'bad'))
  })

addEventListener('DOMContentLoaded', () => {
  setUpTheme(find('.theme'))
  onSubmit('change', change)
  onSubmit('again', sendAgain)
  show(token ? 'change' : 'again')
  if (token) find('.note').textContent = ''
  else tell(`This link is not complete. Open it as you received it. ${anotherOne()}`, 'bad')
})
