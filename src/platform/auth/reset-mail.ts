import type { Mail } from '#platform/mail.ts'

/** The mail contains nothing that was entered at registration: the address may belong to somebody else. */
export const resetMail = (
  { name, operation, consequences }: { name: string; operation: string; consequences: string },
  { to, link, token }: { to: string; link: string; token: string },
): Mail => ({
  to,
  subject: 'Choose a new password',
  text: [
    'Hello,',
    `somebody, hopefully you, asked for a new password at ${name} for this address. To choose one, open this page:`,
    link,
    `or send this token to the API (${operation}):`,
    token,
    `Both work once, within one hour. ${consequences}`,
    'If it was not you, do nothing: your password stays as it is.',
    '',
  ].join('\n\n'),
})
