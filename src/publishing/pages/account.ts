import { type Html, html } from '#platform/web/html.ts'
import { readOwn } from '../accounts/profile.ts'
import type { OwnProfile } from '../accounts/schema.ts'
import type { Member, Publishing } from '../context.ts'
import { languages, named } from '../languages.ts'
import { sendsMail } from '../sends-mail.ts'
import { field, noProblems, type Problems } from './fields.ts'
import type { Page } from './page.ts'
import { good, note, notForRobots, ownTabs } from './parts.ts'

type Shown = { email?: string; problems?: Problems; done?: string }

const tokenOf = ({ formToken }: Member) => html`<input type="hidden" name="token" value="${formToken}">`

const addresses = ({ email, unconfirmed_email }: OwnProfile) =>
  html`<p>Your address is <b>${email}</b>.${unconfirmed_email && html` It becomes <b>${unconfirmed_email}</b> when you open the link that was mailed there.`}</p>`

const emailForm = (
  ctx: Publishing,
  reader: Member,
  own: OwnProfile,
  { email, problems = noProblems }: Shown,
): Html => {
  const hint = sendsMail(ctx)
    ? 'You will get a link there, which works for an hour.'
    : 'It is changed at once.'
  return html`<form class="form" method="post" action="/settings/email">${tokenOf(reader)}
${addresses(own)}
${field(problems, { name: 'email', label: 'New address', hint }, (its) => html`<input type="email"${its} value="${email}" autocomplete="email" required maxlength="254">`)}
${field(problems, { name: 'password', hint: 'To confirm that it is you.' }, (its) => html`<input type="password"${its} autocomplete="current-password" required maxlength="128">`)}
<div class="end"><button class="primary">Change address</button></div></form>`
}

const mailChoice = (ctx: Publishing, mails: OwnProfile['notification_mails']) =>
  sendsMail(ctx)
    ? field(
        noProblems,
        {
          name: 'notification_mails',
          hint: 'About replies, mentions, quotes and new followers; likes and reposts are counted.',
        },
        (its) =>
          html`<select${its}><option value="none">None</option><option value="daily"${mails === 'daily' && html` selected`}>Once a day, if something is unread</option></select>`,
      )
    : html`<p class="hint">This server sends no mail about notifications.</p>`

const preferencesForm = (
  ctx: Publishing,
  reader: Member,
  { language, notification_mails: mails }: OwnProfile,
): Html => {
  const known = languages()
  const others = language === null || known.some(({ tag }) => tag === language) ? [] : [named(language)]
  const usual = named(ctx.instance.current.language)
  const hint = 'In which you write: browsers and feed readers hyphenate, translate and read aloud by it.'
  return html`<form class="form" method="post" action="/settings/account">${tokenOf(reader)}
${field(noProblems, { name: 'language', hint }, (its) => html`<select${its}><option value="">${usual.name}, as on this server</option>${[...others, ...known].map(({ tag, name }) => html`<option value="${tag}"${tag === language && html` selected`}>${name}</option>`)}</select>`)}
${mailChoice(ctx, mails)}
<div class="end"><button class="primary">Save</button></div></form>`
}

const done: Record<string, string> = {
  email: 'Your address was changed.',
  saved: 'Saved.',
  link: 'A link is on its way to the new address.',
}

/** What an account is besides its profile. */
export const accountPage = async (ctx: Publishing, reader: Member, shown: Shown = {}): Promise<Page> => {
  const own = await readOwn(ctx, reader)
  const { problems = noProblems } = shown
  return {
    title: 'Account',
    main: html`${ownTabs('/settings/account')}<h1>Account</h1>${note(problems.note)}${good(done[shown.done ?? ''])}
<h2>Preferences</h2>
${preferencesForm(ctx, reader, own)}
<h2>Email address</h2>
${emailForm(ctx, reader, own, shown)}
<h2>Your data</h2>
<p><a class="button" href="/settings/export" download>Download everything as JSON</a></p>
<h2>Password</h2>
<p><a class="button" href="/settings/password">Change password</a></p>`,
  }
}

export const unsubscribePage = (token: string, problems = noProblems): Page => ({
  title: 'No more mails',
  head: notForRobots,
  main: html`<h1>No more mails</h1>${note(problems.note)}
<form class="form" method="post" action="/unsubscribe?token=${encodeURIComponent(token)}">
<p>You get no more mails about notifications. In the settings of your account you can choose them again.</p>
<div class="end"><button class="primary">Unsubscribe</button></div></form>`,
})

export const unsubscribedPage: Page = {
  title: 'You are unsubscribed',
  head: notForRobots,
  main: html`<div class="failure"><h1>You are unsubscribed</h1><p>You get no more mails about notifications.</p><p><a class="button" href="/">Explore</a></p></div>`,
}

const unclear = 'This link is incomplete. Open the one in your email.'

export const confirmEmailPage = ({
  token,
  problems = noProblems,
}: {
  token?: string
  problems?: Problems
}): Page => ({
  title: 'Confirm your address',
  head: notForRobots,
  main: html`<h1>Confirm your address</h1>${note(problems.note ?? (token ? null : unclear))}${
    token &&
    html`
<form class="form" method="post" action="/confirm-email"><input type="hidden" name="token" value="${token}">
<p>Your account gets the address to which this link was mailed.</p>
<div class="end"><button class="primary">Confirm address</button></div></form>`
  }`,
})

export const confirmedPage: Page = {
  title: 'Your address was changed',
  head: notForRobots,
  main: html`<div class="failure"><h1>Your address was changed</h1><p>Sign in with the new one from now on.</p><p><a class="button" href="/">Explore</a></p></div>`,
}
