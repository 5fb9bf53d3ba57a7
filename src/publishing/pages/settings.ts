import { invalid } from '#platform/errors.ts'
import { Name, Text } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Html, html } from '#platform/web/html.ts'
import type { Member, Publishing } from '../context.ts'
import { readOwnProfile } from '../profiles/profiles.ts'
import { isWebAddress, notAWebAddress, type ProfileChange } from '../profiles/schema.ts'
import { avatar } from './avatar.ts'
import { field, noProblems, type Problems } from './fields.ts'
import type { Page } from './page.ts'
import { note, ownTabs } from './parts.ts'

const text = (max: number) => Type.Optional(Text(0, max))

/** The form as browsers send it: an empty text is no value, and a checkbox that is not checked is not sent. */
export const Settings = Type.Object({
  username: Name(50),
  bio: text(500),
  location: text(100),
  website: text(2_048),
  is_protected: text(10),
})
type Entered = Partial<Record<keyof typeof Settings.properties, string>>

const webAddress = (field: string, address: string | undefined) => {
  if (!address) return null
  if (!isWebAddress(address)) invalid(field, notAWebAddress)
  return address
}

/** Avatar and banner have a page of their own. */
export const changeFrom = (entered: Entered & { username: string }): ProfileChange => ({
  username: entered.username,
  bio: entered.bio || null,
  location: entered.location || null,
  website: webAddress('website', entered.website),
  is_protected: entered.is_protected !== undefined,
})

const address = (value: string) => (its: Html) =>
  html`<input type="url"${its} value="${value}" maxlength="2048" placeholder="https://">`

export const settingsPage = async (
  ctx: Publishing,
  reader: Member,
  { entered, problems = noProblems }: { entered?: Entered; problems?: Problems } = {},
): Promise<Page> => {
  const profile = await readOwnProfile(ctx, reader)
  const { is_protected, ...texts } = profile
  const of = (name: Exclude<keyof Entered, 'is_protected'>) => entered?.[name] ?? texts[name] ?? ''
  const isChecked = entered ? entered.is_protected !== undefined : is_protected
  return {
    title: 'Edit profile',
    main: html`${ownTabs('/settings')}<h1>Edit profile</h1>${note(problems.note)}
<div class="form own-picture">${avatar(profile)}<a class="button" href="/settings/pictures">Change picture and banner</a></div>
<form class="form" method="post" action="/settings"><input type="hidden" name="token" value="${reader.formToken}">
${field(problems, { name: 'username' }, (its) => html`<input${its} value="${of('username')}" required maxlength="50" autocomplete="name">`)}
${field(problems, { name: 'bio', hint: 'Up to 500 characters.' }, (its) => html`<textarea${its} maxlength="500" dir="auto">${of('bio')}</textarea>`)}
${field(problems, { name: 'location' }, (its) => html`<input${its} value="${of('location')}" maxlength="100">`)}
${field(problems, { name: 'website' }, address(of('website')))}
<div class="end"><label><input type="checkbox" name="is_protected" value="yes"${isChecked && html` checked`}> Only followers I approve can read my posts</label><button class="primary">Save</button></div></form>
<p class="quiet"><a href="/settings/delete">Delete account</a></p>`,
  }
}

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
