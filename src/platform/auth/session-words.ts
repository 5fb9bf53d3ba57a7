/** How the API reference describes the operations of a console's session. `me` is the address that needs credentials. */
export const sessionWords = (me: string) => ({
  open: {
    operationId: 'openSession',
    summary: 'Sign in to the console',
    description:
      'Opens a session for a browser, after the same checks as a login and within the same limits. The ' +
      'response sets a cookie that scripts cannot read and that is valid for 30 days. It counts as ' +
      'credentials only on requests with the header `X-Trivet-Console: 1` from pages of this server. The ' +
      'session ends when the password is changed or reset, except where it was changed.',
  },
  find: {
    operationId: 'getSession',
    summary: 'Find out who is signed in to the console',
    description:
      'Returns the account of the session that the cookie of this request belongs to, or 204 if it has none ' +
      `or it has ended. Unlike \`${me}\` it refuses nobody, so a page can begin with it.`,
  },
  close: {
    operationId: 'closeSession',
    summary: 'Sign out of the console',
    description:
      'Ends the session that the cookie of this request belongs to, on every node, and deletes the cookie. ' +
      'Tokens and API keys are not affected. Without a session it returns 401.',
  },
})
