import { forbidden } from '#platform/errors.ts'
import type { ErrorWords } from '#platform/web/error-page.ts'

/** `15 Nov 2026 at 18:08 UTC` */
const inWords = (time: Date) => {
  const [, day, month, year, clock = ''] = time.toUTCString().split(' ')
  return `${Number(day)} ${month} ${year} at ${clock.slice(0, 5)} UTC`
}

const purposes: Record<string, string> = { GET: 'downloading', PUT: 'uploading' }

/** Why a link is of no use. All but the first are known to come from a link that we once signed, or from an altered one. */
export const refuseLink = {
  missing: (method: 'GET' | 'PUT') =>
    forbidden(
      method === 'GET'
        ? 'This bucket is private: a signed link is needed'
        : 'Uploading here needs a signed link',
    ),
  version: () => forbidden('An earlier version needs a signed link'),
  invalid: () => forbidden('This link is not valid: its signature does not match', 'link_invalid'),
  expired: (at: Date) => forbidden(`This link expired on ${inWords(at)}`, 'link_expired'),
  wrongMethod: (method: string) =>
    forbidden(`This link is only for ${purposes[method]} (${method})`, 'link_wrong_method'),
  withdrawn: () =>
    forbidden('This link no longer works: the one who signed it no longer has access', 'link_withdrawn'),
}

/** The same for people who opened the link in a browser. */
export const linkWords: Record<string, ErrorWords> = {
  link_invalid: {
    title: 'This link does not work',
    advice: 'Part of it may be missing, or was changed. Copy it again as a whole, or ask for a new one.',
  },
  link_expired: { title: 'This link has expired', advice: 'Ask whoever sent it to you for a new one.' },
  link_wrong_method: {
    title: 'This link is not for browsers',
    advice: 'A program uses it to upload a file. To download one, ask for another link.',
  },
  link_withdrawn: { title: 'This link no longer works', advice: 'Ask whoever sent it to you for a new one.' },
}
