import { prefersHtml } from './accepts.ts'
import { framedPage, framePolicy } from './frame.ts'
import { html } from './html.ts'
import type { ServiceName } from './mark.ts'

/** What a page says about an error besides its message: what happened, and what to do. */
export type ErrorWords = { title: string; advice?: string }

const byStatus: Record<number, ErrorWords> = {
  401: {
    title: 'Credentials are needed here',
    advice: 'This address is part of the API, which programs use with a key or a token.',
  },
  403: { title: 'You don’t have access to this' },
  404: { title: 'Nothing here', advice: 'It may have been deleted, or the address is not quite right.' },
  405: { title: 'This address does not work in a browser', advice: 'It is part of the API.' },
  429: { title: 'Too many requests' },
  503: { title: 'Back in a moment', advice: 'The service is not available right now. Please try again.' },
}
const fault: ErrorWords = { title: 'Something went wrong', advice: 'Please try again.' }
const refused: ErrorWords = { title: 'This request did not work' }

/** Messages that say no more than the status. */
const nothingMore: Record<number, string> = { 403: 'Forbidden', 404: 'Not found' }

type Refusal = { status: number; code: string; message: string }
type Request = { method: string; id: string; headers: { accept?: string | undefined } }

/**
 * Errors as pages for people who open an address of an API in a browser; programs get JSON with the same status. `words`
 * are for the codes of the service that need more than its status says.
 */
export const errorPages =
  (service: ServiceName, words: Record<string, ErrorWords> = {}) =>
  ({ status, code, message }: Refusal, { method, id, headers }: Request) => {
    if ((method !== 'GET' && method !== 'HEAD') || !prefersHtml(headers)) return undefined
    const { title, advice } = words[code] ?? byStatus[status] ?? (status < 500 ? refused : fault)
    const main = html`<h1>${title}</h1>
${message !== nothingMore[status] && html`<p>${message}.</p>`}${advice && html`\n<p class="quiet">${advice}</p>`}
<p class="choice"><a class="button" href="/about">About this service</a><a class="button" href="/docs">API reference</a></p>
<p class="request">Request <code>${id}</code></p>`
    return {
      html: framedPage({ service, title: `${title} · Trivet ${service}`, root: '/', main }),
      headers: { 'content-security-policy': framePolicy() },
    }
  }
