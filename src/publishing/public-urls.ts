/**
 * Addresses of our own are stored as paths; what clients see is absolute, and follows when the public address of the service
 * changes. The text is joined into one piece, for speed: JSON.stringify has to flatten a string that is still a
 * concatenation.
 */
export const publicUrl = (base: string, path: string) => [base, path].join('')

/** HTML with links to pages of our own. */
export const withPublicLinks = (base: string, html: string) => html.split('href="/').join(`href="${base}/`)
