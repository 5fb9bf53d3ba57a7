import type { FastifyRequest } from 'fastify'
import type { AppError } from '#platform/errors.ts'
import type { ErrorPage } from '#platform/http/service.ts'
import { html } from '#platform/web/html.ts'
import type { Publishing } from '../context.ts'
import { embedNote, embedPolicy, type Theme } from '../widget/embed.ts'
import { signInForm } from './account.ts'
import { maxFormBytes, readerOf } from './forms.ts'
import { newNonce, type Page, pageHeaders, renderPage } from './page.ts'
import { note, notForRobots } from './parts.ts'

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

/** What the API says of bodies is not true of forms. */
const instead: Record<number, string> = { 413: `A form can hold ${maxFormBytes / 1024} kilobytes at most.` }

const failurePage = (error: AppError, req: FastifyRequest): Page => {
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
const embedPath = '/widget/embed/'

/** Whoever looks at pages gets a page, also when something is wrong; programs get the envelope. */
export const errorPage = (error: AppError, req: FastifyRequest, ctx: Publishing): ErrorPage | undefined => {
  const nonce = newNonce()
  if (req.url.startsWith(embedPath)) {
    const asked = new URLSearchParams(req.url.split('?')[1]).get('theme')
    const theme: Theme = asked === 'dark' || asked === 'light' ? asked : 'auto'
    const base = ctx.config.urls.publishing
    return {
      html: embedNote(base, theme, error.status, nonce),
      headers: { 'cache-control': 'no-cache', ...embedPolicy(nonce) },
    }
  }
  const wantsHtml = !req.url.startsWith('/api/') && (req.headers.accept ?? '').includes('text/html')
  if (!pagePath.test(req.url) && !wantsHtml) return undefined
  const surroundings = { reader: readerOf(req), path: req.url }
  return { html: renderPage(failurePage(error, req), surroundings, nonce), headers: pageHeaders(nonce) }
}
