import type { Service } from '#platform/http/service.ts'
import type { Publishing } from '../context.ts'
import { newNonce } from '../pages/page.ts'
import { embedNote, embedPolicy, type Theme } from './embed.ts'

const embedPath = '/widget/embed/'

/** Inside a widget, an error is shown as a small note. */
export const embedErrorPage: NonNullable<Service<Publishing>['errorPage']> = (error, req, ctx) => {
  if (!req.url.startsWith(embedPath)) return undefined
  const nonce = newNonce()
  const requested = new URLSearchParams(req.url.split('?')[1]).get('theme')
  const base = ctx.config.urls.publishing
  const theme: Theme = requested === 'dark' || requested === 'light' ? requested : 'auto'
  return {
    html: embedNote(base, ctx.instance.current.name, theme, error.status, nonce),
    headers: { 'cache-control': 'no-cache', ...embedPolicy(base, nonce) },
  }
}
