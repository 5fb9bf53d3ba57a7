import type { LinkKeeper } from '#platform/instance/link-keeper.ts'
import { html } from '#platform/web/html.ts'
import type { Member } from '../context.ts'
import { field, noProblems, type Problems } from './fields.ts'
import type { Page } from './page.ts'
import { good, note, notForRobots, ownTabs } from './parts.ts'

type Result = { problems?: Problems }

const newPassword = (problems: Problems, name: string) =>
  field(
    problems,
    { name, hint: 'At least 8 characters.' },
    (its) =>
      html`<input type="password"${its} autocomplete="new-password" required minlength="8" maxlength="128">`,
  )

const revokeKeys = html`<label><input type="checkbox" name="revoke_keys" value="yes"> Also revoke my developer keys</label>`

const nameOf = ({ name, address }: LinkKeeper) => (address ? html`<a href="${address}">${name}</a>` : name)

export const forgotPage = (
  keeper: LinkKeeper | null,
  { email, problems = noProblems }: Result & { email?: string } = {},
): Page => ({
  title: 'Forgot your password?',
  head: notForRobots,
  main: html`<h1>Forgot your password?</h1>${note(problems.note)}
<form class="form" method="post" action="/forgot-password">
<p>${keeper ? html`This server sends no mail. Enter your email address, and then ask ${nameOf(keeper)} for the link to choose a new one.` : 'Enter your email address and we will send you a link to choose a new one.'}</p>
${field(problems, { name: 'email' }, (its) => html`<input type="email"${its} value="${email}" autocomplete="username" required maxlength="254">`)}
<div class="end"><a href="/sign-in">Back to sign-in</a><button class="primary">${keeper ? 'Ask for a link' : 'Send link'}</button></div></form>`,
})

export const askedPage = (keeper: LinkKeeper | null): Page => {
  const title = keeper ? 'Ask for your link' : 'Check your email'
  const next = keeper ? html`ask ${nameOf(keeper)} for the link` : 'you will get an email with a link'
  return {
    title,
    head: notForRobots,
    main: html`<div class="failure"><h1>${title}</h1><p>If the address is registered, ${next}. It works once, within one hour.</p><p><a class="button" href="/">Explore</a></p></div>`,
  }
}

export const resetPage = ({ token, problems = noProblems }: Result & { token?: string }): Page => ({
  title: 'Choose a new password',
  head: notForRobots,
  main: html`<h1>Choose a new password</h1>${note(problems.note ?? (token ? null : 'This link is incomplete. Open it as you received it.'))}${
    token &&
    html`
<form class="form" method="post" action="/reset-password"><input type="hidden" name="token" value="${token}">
${newPassword(problems, 'password')}
<div class="end">${revokeKeys}<button class="primary">Change password</button></div></form>`
  }
<p class="lead"><a href="/forgot-password">Ask for another link</a></p>`,
})

export const changedPage: Page = {
  title: 'Your password was changed',
  head: notForRobots,
  main: html`<div class="failure"><h1>Your password was changed</h1><p>All sessions have ended. Sign in with your new password.</p><p><a class="button" href="/sign-in">Sign in</a></p></div>`,
}

const changedNote = good('Your password was changed, and all other sessions have ended.')

export const passwordPage = (
  reader: Member,
  { problems = noProblems, isChanged }: Result & { isChanged?: boolean } = {},
): Page => ({
  title: 'Change password',
  main: html`${ownTabs('/settings/account')}<h1>Change password</h1>${note(problems.note)}${isChanged && changedNote}
<form class="form" method="post" action="/settings/password"><input type="hidden" name="token" value="${reader.formToken}">
<p>This ends all other sessions.</p>
${field(problems, { name: 'current_password' }, (its) => html`<input type="password"${its} autocomplete="current-password" required maxlength="128">`)}
${newPassword(problems, 'new_password')}
<div class="end">${revokeKeys}<button class="primary">Change password</button></div></form>`,
})
