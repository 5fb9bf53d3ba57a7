import { html } from '#platform/web/html.ts'
import type { Page } from './page.ts'
import { note, notForRobots } from './parts.ts'

type Entered = { next?: string; email?: string; problem?: string | null }

export const signInForm = ({ next, email, problem }: Entered) => html`${note(problem)}
<form class="form" method="post" action="/sign-in"><input type="hidden" name="next" value="${next}">
<label>Email<input type="email" name="email" value="${email}" autocomplete="username" required maxlength="254"></label>
<label>Password<input type="password" name="password" autocomplete="current-password" required maxlength="128"></label>
<div class="end"><a href="/sign-up">Create an account</a><button class="primary">Sign in</button></div></form>
<p class="lead"><a href="/forgot-password">Forgot your password?</a></p>`

export const signInPage = (entered: Entered): Page => ({
  title: 'Sign in',
  head: notForRobots,
  main: html`<h1>Sign in</h1>${signInForm(entered)}`,
})

type EnteredSignUp = { email?: string; handle?: string; username?: string; problem?: string | null }

export const signUpPage = ({ email, handle, username, problem }: EnteredSignUp): Page => ({
  title: 'Create an account',
  head: notForRobots,
  main: html`<h1>Create an account</h1>${note(problem)}
<form class="form" method="post" action="/sign-up">
<label>Name<small>As others see it; you can change it later.</small><input name="username" value="${username}" autocomplete="name" required maxlength="50"></label>
<label>Handle<small>3 to 30 letters, digits or underscores. It becomes your address.</small><input name="handle" value="${handle}" autocomplete="off" autocapitalize="none" required pattern="[A-Za-z0-9_]{3,30}"></label>
<label>Email<input type="email" name="email" value="${email}" autocomplete="username" required maxlength="254"></label>
<label>Password<small>At least 8 characters.</small><input type="password" name="password" autocomplete="new-password" required minlength="8" maxlength="128"></label>
<div class="end"><a href="/sign-in">I have an account</a><button class="primary">Create account</button></div></form>`,
})
