import type { ServiceName } from '#platform/config.ts'
import type { LinkKeeper } from '#platform/instance/link-keeper.ts'
import { lazyAsset } from '#platform/web/assets.ts'
import { framedPage, framePolicy } from '#platform/web/frame.ts'
import { html } from '#platform/web/html.ts'

const assets = {
  style: lazyAsset(new URL('./reset-page.css', import.meta.url)),
  script: lazyAsset(new URL('./reset-page.browser.ts', import.meta.url)),
}

/** How the service spells what the page sends. */
type Fields = { password: string; revokeKeys: string }

/**
 * Where the link of a reset mail leads. Its token is in the fragment, which a browser never sends to a server's log;
 * it stays in the browser until the form is sent, to the address of the page itself. Another link is asked for at the
 * address beside it.
 */
export const resetPage = (service: ServiceName, fields: Fields, keeper: LinkKeeper | null) => {
  const title = 'Choose a new password'
  const main = html`<h1>${title}</h1>
<p class="note" role="status">This page needs JavaScript. The token in the mail also works with the <a href="/docs#resetPassword">API</a>.</p>
<form class="card" id="change" hidden>
<div class="field"><label for="password">New password</label><small id="hint">At least 8 characters.</small>
<input id="password" name="${fields.password}" type="password" minlength="8" maxlength="128" autocomplete="new-password" aria-describedby="hint" required></div>
<label class="choice"><input name="${fields.revokeKeys}" type="checkbox"> Also revoke my API keys</label>
<button class="button primary">Change password</button>
</form>
<form class="card" id="again" hidden${keeper && html` data-keeper="${keeper.name}"`}>
<div class="field"><label for="email">Your email address</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="email" required></div>
<button class="button primary">${keeper ? 'Ask for a new link' : 'Send a new link'}</button>
</form>
<p><a href="/about">About this service</a></p>`
  return {
    csp: framePolicy(assets, ["connect-src 'self'"]),
    text: framedPage({ service, title: `${title} · Trivet ${service}`, root: '/', main }, assets),
  }
}
