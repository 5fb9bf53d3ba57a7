import type { Mail } from '#platform/mail.ts'

/** The token is in the fragment of the link, which a browser never sends to a server's log. */
export const resetMail = (
  base: string,
  { email, full_name }: { email: string; full_name: string },
  token: string,
): Mail => ({
  to: email,
  subject: 'Choose a new password',
  text: [
    `Hello ${full_name},`,
    'somebody, hopefully you, asked for a new password for this address. To choose one, open this page:',
    `${base}/auth/reset-password#token=${token}`,
    'or send this token to the API (POST /auth/reset-password):',
    token,
    'Both work once, within one hour. A new password ends every session and switches two-factor login off.',
    'If it was not you, do nothing: your password stays as it is.',
    '',
  ].join('\n\n'),
})
