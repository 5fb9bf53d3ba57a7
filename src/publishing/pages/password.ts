import { html } from '#platform/web/html.ts'
import type { Member } from '../context.ts'
import type { Page } from './page.ts'
import { note, notForRobots, ownTabs } from './parts.ts'

type Problem = { problem?: string | null }

const newPassword = (name: string) =>
  html`<label>New password<small>At least 8 characters.</small><input type="password" name="${name}" autocomplete="new-password" required minlength="8" maxlength="128"></label>`

const revokeKeys = html`<label><input type="checkbox" name="revoke_keys" value="yes"> Also revoke my developer keys</label>`

export const forgotPage = ({ email, problem }: Problem & { email?: string } = {}): Page => ({
  title: 'Forgot your password?',
  head: notForRobots,
  main: html`<h1>Forgot your password?</h1>${note(problem)}
<form class="form" method="post" action="/forgot-password">
<p>We send you a mail with a link to a page where you can choose a new one.</p>
<label>Email<input type="email" name="email" value="${email}" autocomplete="username" required maxlength="254"></label>
<div class="end"><a href="/sign-in">Back to sign-in</a><button class="primary">Send mail</button></div></form>`,
})

export const mailedPage: Page = {
  title: 'Look into your mail',
  head: notForRobots,
  main: html`<div class="failure"><h1>Look into your mail</h1><p>If the address is registered, a mail with a link is on its way. The link works once, within one hour.</p><p><a class="button" href="/">Explore</a></p></div>`,
}

export const resetPage = ({ token, problem }: Problem & { token?: string }): Page => ({
  title: 'Choose a new password',
  head: notForRobots,
  main: html`<h1>Choose a new password</h1>${note(problem ?? (token ? null : 'This link is not complete. Please open the one in the mail.'))}${
    token &&
    html`
<form class="form" method="post" action="/reset-password"><input type="hidden" name="token" value="${token}">
${newPassword('password')}
<div class="end">${revokeKeys}<button class="primary">Change password</button></div></form>`
  }
<p class="lead"><a href="/forgot-password">Ask for another mail</a></p>`,
})

export const changedPage: Page = {
  title: 'Your password was changed',
  head: notForRobots,
  main: html`<div class="failure"><h1>Your password was changed</h1><p>Every session has ended. You can sign in with the new password now.</p><p><a class="button" href="/sign-in">Sign in</a></p></div>`,
}

const changedNote = html`<div class="note good" role="status"><p>Your password was changed, and every other session has ended.</p></div>`

export const passwordPage = (
  reader: Member,
  { problem, isChanged }: Problem & { isChanged?: boolean } = {},
): Page => ({
  title: 'Your password',
  main: html`${ownTabs('/settings/password')}<h1>Your password</h1>${note(problem)}${isChanged && changedNote}
<form class="form" method="post" action="/settings/password"><input type="hidden" name="token" value="${reader.formToken}">
<p>A new password ends every other session.</p>
<label>Current password<input type="password" name="current_password" autocomplete="current-password" required maxlength="128"></label>
${newPassword('new_password')}
<div class="end">${revokeKeys}<button class="primary">Change password</button></div></form>`,
})
