import { html } from '#platform/web/html.ts'
import { field, noProblems, type Problems } from './fields.ts'
import type { Page } from './page.ts'
import { note, notForRobots } from './parts.ts'

type Entered = {
  next?: string
  email?: string
  /** What was written in a form before the session ended, and the path of that form. */
  draft?: string
  draftOf?: string
  problems?: Problems
}

const hidden = (name: string, value: string | undefined) =>
  value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`

const withNext = (path: string, next: string | undefined) =>
  next ? `${path}?next=${encodeURIComponent(next)}` : path

export const signInForm = ({
  next,
  email,
  draft,
  draftOf,
  problems = noProblems,
}: Entered) => html`${note(problems.note)}
<form class="form" method="post" action="/sign-in">${hidden('next', next)}${hidden('draft', draft)}${hidden('draftOf', draftOf)}
${field(problems, { name: 'email' }, (its) => html`<input type="email"${its} value="${email}" autocomplete="username" required maxlength="254">`)}
${field(problems, { name: 'password' }, (its) => html`<input type="password"${its} autocomplete="current-password" required maxlength="128">`)}
<div class="end"><a href="/forgot-password">Forgot your password?</a><button class="primary">Sign in</button></div></form>
<p class="lead">New here? <a href="${withNext('/sign-up', next)}">Create an account</a></p>`

export const signInPage = (entered: Entered): Page => ({
  title: 'Sign in',
  head: notForRobots,
  main: html`<h1>Sign in</h1>${signInForm(entered)}`,
})

type EnteredSignUp = {
  next?: string
  email?: string
  handle?: string
  username?: string
  problems?: Problems
}

export const signUpPage = ({
  next,
  email,
  handle,
  username,
  problems = noProblems,
}: EnteredSignUp): Page => ({
  title: 'Create an account',
  head: notForRobots,
  main: html`<h1>Create an account</h1>${note(problems.note)}
<form class="form" method="post" action="/sign-up">${hidden('next', next)}
${field(problems, { name: 'username', hint: 'Shown next to your posts. You can change it later.' }, (its) => html`<input${its} value="${username}" autocomplete="name" required maxlength="50">`)}
${field(problems, { name: 'handle', hint: '3 to 30 letters, digits or underscores. It becomes your address.' }, (its) => html`<input${its} value="${handle}" autocomplete="off" autocapitalize="none" required pattern="[A-Za-z0-9_]{3,30}">`)}
${field(problems, { name: 'email' }, (its) => html`<input type="email"${its} value="${email}" autocomplete="username" required maxlength="254">`)}
${field(problems, { name: 'password', hint: 'At least 8 characters.' }, (its) => html`<input type="password"${its} autocomplete="new-password" required minlength="8" maxlength="128">`)}
<div class="end"><button class="primary">Create account</button></div></form>
<p class="lead">Already have an account? <a href="${withNext('/sign-in', next)}">Sign in</a></p>`,
})
