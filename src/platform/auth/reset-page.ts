import type { ServiceName } from '#platform/config.ts'
import { html, raw } from '#platform/http/html.ts'
import { baseCss } from '#platform/http/style.css.ts'

const css = `${baseCss}
main { max-width: 24rem; margin: 12vh auto; padding: 0 16px; display: grid; gap: 16px }
form, label { display: grid; gap: 8px }
form { gap: 16px }
label.choice { display: flex; align-items: center }
label.choice input { min-height: 0 }
button { background: var(--accent); border-color: var(--accent); color: var(--background); font-weight: 600 }
[role=status] { color: var(--quiet) }
[role=status][data-outcome=good] { color: var(--good) }
[role=status][data-outcome=bad] { color: var(--bad) }`

const script = (fields: Fields) => `
const form = document.querySelector('form'), status = document.querySelector('[role=status]')
const token = new URLSearchParams(location.hash.slice(1)).get('token')
const tell = (text, outcome) => { status.textContent = text; status.dataset.outcome = outcome }
history.replaceState(null, '', location.pathname)
if (!token) { form.hidden = true; tell('This link is not complete. Please open the one in the mail.', 'bad') }
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { password, revokeKeys } = form.elements
  const body = JSON.stringify({ token, ${fields.password}: password.value, ${fields.revokeKeys}: revokeKeys.checked })
  try {
    const answer = await fetch('', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { message, error } = await answer.json()
    if (answer.ok) { form.hidden = true; tell('Your password was changed. You can sign in with it now.', 'good') }
    else tell(error ?? message, 'bad')
  } catch { tell('The server did not answer. Please try again.', 'bad') }
})`

/** How the service spells what the page sends. */
type Fields = { password: string; revokeKeys: string }

/**
 * Where the link of a reset mail leads. Its token is in the fragment, which a browser never sends to a server's log;
 * it stays in the browser until the form is sent, to the address of the page itself.
 */
export const resetPage = (service: ServiceName, fields: Fields, nonce: string) => ({
  csp: `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  text: String(html`<!doctype html>
<html lang="en" data-service="${service}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Choose a new password</title>
<style nonce="${nonce}">${raw(css)}</style>
</head>
<body>
<main>
<h1>Choose a new password</h1>
<form>
<label for="password">New password, at least 8 characters</label>
<input id="password" name="password" type="password" minlength="8" maxlength="128" autocomplete="new-password" required>
<label class="choice"><input name="revokeKeys" type="checkbox"> Also revoke my API keys</label>
<button>Change password</button>
</form>
<p role="status"></p>
<noscript><p>This page needs JavaScript. The token in the mail also works with the API.</p></noscript>
</main>
<script nonce="${nonce}">${raw(script(fields))}</script>
</body>
</html>`),
})
