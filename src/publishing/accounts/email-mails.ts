import type { Mail } from '#platform/mail.ts'

type Place = { name: string; to: string }

/** To the new address, which may belong to somebody else: it contains nothing that was entered. */
export const confirmationMail = (
  { name, to }: Place,
  { link, token }: { link: string; token: string },
): Mail => ({
  to,
  subject: 'Confirm your address',
  text: [
    'Hello,',
    `somebody, hopefully you, wants to use this address for an account at ${name}. To confirm it, open this page:`,
    link,
    'or send this token to the API (POST /api/auth/confirm-email):',
    token,
    'Both work once, within one hour.',
    'If it was not you, do nothing: the address is not used then.',
    '',
  ].join('\n\n'),
})

/** To the address of before. */
export const noticeMail = (
  { name, to }: Place,
  { hasChanged, link }: { hasChanged: boolean; link: string },
): Mail => ({
  to,
  subject: hasChanged ? 'Your address was changed' : 'Your address is about to change',
  text: [
    'Hello,',
    hasChanged
      ? `your account at ${name} now has another email address.`
      : `somebody who knows your password asked for another email address for your account at ${name}. It changes as soon as the new address is confirmed.`,
    'If it was you, there is nothing to do.',
    hasChanged
      ? 'If it was not you, tell whoever runs the server.'
      : `If it was not you, choose a new password now, which also keeps your address as it is: ${link}`,
    '',
  ].join('\n\n'),
})
