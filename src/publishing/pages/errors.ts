import type { FastifyRequest } from 'fastify'
import type { AppError } from '#platform/errors.ts'
import type { Service } from '#platform/http/service.ts'
import { html } from '#platform/web/html.ts'
import { reader } from '../access.ts'
import type { Publishing } from '../context.ts'
import { counted } from './actions.ts'
import { maxFormBytes, pathBefore } from './forms.ts'
import { newNonce, type Page, pageHeaders, renderPage } from './page.ts'
import { note, notForRobots } from './parts.ts'
import { signInForm } from './sign-in.ts'

const titles: Record<number, string> = {
  400: 'This request did not work',
  401: 'Please sign in',
  403: 'You don’t have access to this page',
  404: 'Page not found',
  405: 'This page does not work that way',
  413: 'That is too long',
  422: 'Something is not right',
  429: 'Too many requests',
  503: 'Back in a moment',
}

const seconds = (error: AppError) => Number(error.headers['retry-after'] ?? 0)

const inWords = (wait: number) => {
  if (wait <= 0) return 'a moment'
  return wait < 90 ? counted(wait, 'second') : counted(Math.ceil(wait / 60), 'minute')
}

type Words = { title: string; text?: string; advice?: string }

/** What happened, and what to do about it. */
const wordsFor = (error: AppError): Words => {
  const { status, message, code } = error
  const title = titles[status] ?? (status < 500 ? titles[400]! : 'Something went wrong')
  if (code === 'own_account_suspended')
    return {
      title: 'Your account is suspended',
      text: 'Nothing has been published or changed.',
      advice: 'While it is suspended, you can read public posts, but not write, follow or change anything.',
    }
  if (status === 403 && message === 'Account suspended') return { title: 'This account is suspended' }
  if (code === 'stale_form') return { title: 'This page was out of date', text: message }
  if (status === 404) return { title, advice: 'It may have been deleted, or the address is not quite right.' }
  if (status === 413) return { title, text: `A form can hold ${maxFormBytes / 1024} kilobytes at most.` }
  if (status === 429) return { title, advice: `Please wait ${inWords(seconds(error))} and try again.` }
  if (status === 503) return { title, advice: 'The service is not available right now. Please try again.' }
  if (status >= 500) return { title, advice: 'This is our fault, not yours. Please try again.' }
  return { title, text: message }
}

/** Where to go on from here: back if a form did not work, which keeps what was entered. */
const onward = (req: Request) => {
  const before = req.method === 'POST' ? pathBefore(req) : null
  return html`<p class="choice">${before && html`<a class="button primary" href="${before}">Go back</a>`}<a class="button" href="/">Explore</a></p>`
}

type Request = Pick<FastifyRequest, 'method' | 'url' | 'id' | 'headers' | 'host'>

const failurePage = (error: AppError, req: Request): Page => {
  const { title, text, advice } = wordsFor(error)
  if (error.status === 401)
    return {
      title,
      head: notForRobots,
      main: html`<h1>${title}</h1>${signInForm({ next: req.method === 'GET' ? req.url : (pathBefore(req) ?? '/home') })}`,
    }
  return {
    title,
    head: notForRobots,
    main: html`<div class="failure"><h1>${title}</h1>${note(text)}${advice && html`<p>${advice}</p>`}${onward(req)}<code>Request ${req.id}</code></div>`,
  }
}

const pagePath =
  /^\/($|\?|@|tags\/|(search|home|compose|keys|settings|requests|notifications|blocked|muted|posts|sign-in|sign-up|sign-out|forgot-password|reset-password)($|[/?]))/

/** Browsers get a page if something is wrong; programs get the JSON envelope. */
export const errorPage: NonNullable<Service<Publishing>['errorPage']> = (error, req, ctx) => {
  const wantsHtml = !req.url.startsWith('/api/') && (req.headers.accept ?? '').includes('text/html')
  if (!pagePath.test(req.url) && !wantsHtml) return undefined
  const nonce = newNonce()
  const surroundings = { reader: reader(req), path: req.url, instance: ctx.instance.current }
  return { html: renderPage(failurePage(error, req), surroundings, nonce), headers: pageHeaders(nonce) }
}
