import type { ServiceName } from '#platform/config.ts'
import { lazyAsset } from '#platform/web/assets.ts'
import { html, raw } from '#platform/web/html.ts'

const style = lazyAsset(new URL('./reset-page.css', import.meta.url))
const script = lazyAsset(new URL('./reset-page.browser.ts', import.meta.url))

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
<style nonce="${nonce}">${raw(style())}</style>
</head>
<body>
<main>
<h1>Choose a new password</h1>
<form>
<label for="password">New password, at least 8 characters</label>
<input id="password" name="${fields.password}" type="password" minlength="8" maxlength="128" autocomplete="new-password" required>
<label class="choice"><input name="${fields.revokeKeys}" type="checkbox"> Also revoke my API keys</label>
<button>Change password</button>
</form>
<p role="status"></p>
<noscript><p>This page needs JavaScript. The token in the mail also works with the API.</p></noscript>
</main>
<script nonce="${nonce}">${raw(script())}</script>
</body>
</html>`),
})
