import { html } from '#platform/web/html.ts'
import type { Member } from '../context.ts'
import { field, noProblems } from './fields.ts'
import type { Page } from './page.ts'
import { note, ownTabs } from './parts.ts'

export const deleteAccountPage = (reader: Member, problems = noProblems): Page => ({
  title: 'Delete your account',
  main: html`${ownTabs('/settings')}<h1>Delete your account</h1>${note(problems.note)}
<form class="form" method="post" action="/settings/delete"><input type="hidden" name="token" value="${reader.formToken}">
<p>Your posts, likes and follows are deleted at once, your keys stop working, and <b>@${reader.handle}</b> becomes free for somebody else. This cannot be undone.</p>
${field(problems, { name: 'password', hint: 'To confirm that it is you.' }, (its) => html`<input type="password"${its} autocomplete="current-password" required maxlength="128">`)}
<div class="end"><a href="/settings">Cancel</a><button class="primary danger">Delete permanently</button></div></form>`,
})

export const deletedPage: Page = {
  title: 'Your account was deleted',
  main: html`<div class="failure"><h1>Your account was deleted</h1><p>Everything in it is gone. Thank you for being here.</p><p><a class="button" href="/">Explore</a></p></div>`,
}
