import { html } from '#platform/web/html.ts'
import type { Member } from '../context.ts'
import type { Page } from './page.ts'
import { note, ownTabs } from './parts.ts'

export const deleteAccountPage = (reader: Member, problem?: string): Page => ({
  title: 'Delete your account',
  main: html`${ownTabs('/settings/delete')}<h1>Delete your account</h1>${note(problem)}
<form class="form" method="post" action="/settings/delete"><input type="hidden" name="token" value="${reader.formToken}">
<p>Your posts, likes and follows disappear at once, your keys stop working, and <b>@${reader.handle}</b> becomes free for somebody else. This cannot be undone.</p>
<label>Password<small>To be sure that it is you.</small><input type="password" name="password" autocomplete="current-password" required maxlength="128"></label>
<div class="end"><a href="/settings">Keep it</a><button class="primary danger">Delete for good</button></div></form>`,
})

export const deletedPage: Page = {
  title: 'Your account is gone',
  main: html`<div class="failure"><h1>Your account is gone</h1><p>Everything in it has been deleted. Thank you for having been here.</p><p><a class="button" href="/">Explore</a></p></div>`,
}
