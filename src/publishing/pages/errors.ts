import type { AppError } from '#platform/errors.ts'
import type { Service } from '#platform/http/service.ts'
import { html } from '#platform/web/html.ts'
import { reader } from '../access.ts'
import type { Publishing } from '../context.ts'
import { maxFormBytes } from './forms.ts'
import { newNonce, type Page, pageHeaders, renderPage } from './page.ts'
import { note, notForRobots } from './parts.ts'
import { signInForm } from './sign-in.ts'

const titles: Record<number, string> = {
  400: 'That did not work',
  401: 'Please sign in',
  403: 'Not for you to see',
  404: 'There is nothing here',
  405: 'That is not how this page works',
  413: 'That was too much',
  422: 'Something is not right',
  429: 'Too many requests',
  503: 'Back in a moment',
}

const advice: Record<number, string> = {
  404: 'It may have been deleted, or the address is not quite right.',
  429: 'Please wait a little and try again.',
  503: 'The service is not available just now. Please try again.',
}

/** The message of the API does not apply to forms. */
const instead: Record<number, string> = { 413: `A form can hold ${maxFormBytes / 1024} kilobytes at most.` }

type Request = { method: string; url: string; id: string }

const failurePage = (error: AppError, req: Request): Page => {
  const title = titles[error.status] ?? (error.status < 500 ? titles[400]! : 'Something went wrong here')
  if (error.status === 401)
    return {
      title,
      head: notForRobots,
      main: html`<h1>${title}</h1>${signInForm({ next: req.method === 'GET' ? req.url : '/' })}`,
    }
  const text =
    instead[error.status] ?? (error.status < 500 ? error.message : 'It is not your fault. Please try again.')
  return {
    title,
    head: notForRobots,
    main: html`<div class="failure"><h1>${title}</h1>${error.status === 404 ? null : note(text)}<p>${advice[error.status]}</p><p><a class="button" href="/">Explore</a></p><code>Request ${req.id}</code></div>`,
  }
}

const pagePath =
  /^\/($|\?|@|tags\/|(search|home|compose|keys|settings|requests|blocked|muted|posts|sign-in|sign-up|sign-out)($|[/?]))/

/** Browsers get a page if something is wrong; programs get the JSON envelope. */
export const errorPage: NonNullable<Service<Publishing>['errorPage']> = (error, req) => {
  const wantsHtml = !req.url.startsWith('/api/') && (req.headers.accept ?? '').includes('text/html')
  if (!pagePath.test(req.url) && !wantsHtml) return undefined
  const nonce = newNonce()
  const surroundings = { reader: reader(req), path: req.url }
  return { html: renderPage(failurePage(error, req), surroundings, nonce), headers: pageHeaders(nonce) }
}
