import { html, raw } from '#platform/http/html.ts'
import { baseCss } from '#platform/http/style.css.ts'

const css = `${baseCss}
main { max-width: 24rem; margin: 12vh auto; padding: 0 16px; display: grid; gap: 16px }
form, label { display: grid; gap: 8px }
form { gap: 16px }
button { background: var(--accent); border-color: var(--accent); color: var(--background); font-weight: 600 }
[role=status] { color: var(--quiet) }
[role=status][data-outcome=good] { color: var(--good) }
[role=status][data-outcome=bad] { color: var(--bad) }`

const script = `
const form = document.querySelector('form'), status = document.querySelector('[role=status]')
const token = new URLSearchParams(location.hash.slice(1)).get('token')
const tell = (text, outcome) => { status.textContent = text; status.dataset.outcome = outcome }
history.replaceState(null, '', location.pathname)
if (!token) { form.hidden = true; tell('This link is not complete. Please open the one in the mail.', 'bad') }
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = JSON.stringify({ token, newPassword: form.elements.newPassword.value })
  try {
    const answer = await fetch('', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { message } = await answer.json()
    if (answer.ok) { form.hidden = true; tell('Your password was changed. You can sign in with it now.', 'good') }
    else tell(message, 'bad')
  } catch { tell('The server did not answer. Please try again.', 'bad') }
})`

/** Where the link of a reset mail leads. The token stays in the browser until the form is sent. */
export const resetPage = (nonce: string) => ({
  csp: `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  text: String(html`<!doctype html>
<html lang="en" data-service="storage">
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
<label for="newPassword">New password, at least 8 characters</label>
<input id="newPassword" name="newPassword" type="password" minlength="8" maxlength="128" autocomplete="new-password" required>
<button>Change password</button>
</form>
<p role="status"></p>
<noscript><p>This page needs JavaScript. The token in the mail also works with the API.</p></noscript>
</main>
<script nonce="${nonce}">${raw(script)}</script>
</body>
</html>`),
})
