import { createHash } from 'node:crypto'

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows a page's own style and script, by their hashes, and the icons of its service. */
export const contentSecurityPolicy = (
  { style, script }: { style: string; script: string },
  more: string[] = [],
) =>
  [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    `script-src ${sourceOf(script)}`,
    "img-src 'self'",
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
