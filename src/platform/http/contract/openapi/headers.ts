/** Request headers with a meaning of their own. A route names those it reads in `config.reads`. */
export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'Any text of up to 255 characters, new for each operation. A repeat of the same request with the same key within ' +
      '24 hours returns the first response instead of doing the work again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '5f0c6c7e-1d6f-4d7a-9d0b-0f4a9c1e2b3d',
  },
  'X-Trivet-Console': {
    description: '`1`: the request comes from the console, so the cookie of its session counts.',
    schema: { type: 'string', enum: ['1'] },
    example: '1',
  },
  'Last-Event-ID': {
    description: 'Streams only: the last event that was received. It goes before `after`.',
    schema: { type: 'string' },
    example: 'evt_01a1e039-6806-7000-ad0f-f002d2322e3d',
  },
  Range: {
    description: 'A part of the content, such as `bytes=0-1023`.',
    schema: { type: 'string' },
    example: 'bytes=0-1023',
  },
  'If-Range': {
    description:
      'Sends the range only if the content still has this entity tag or date; otherwise all of it.',
    schema: { type: 'string' },
    example: '"9bb58f26192e4ba00f01e2e7b136bbd8"',
  },
  'If-None-Match': {
    description:
      'Entity tags. Reading: 304 if the content still has one of them. Writing: `*` refuses to replace.',
    schema: { type: 'string' },
    example: '"9bb58f26192e4ba00f01e2e7b136bbd8"',
  },
  'If-Match': {
    description: 'Entity tags: refused with 412 unless the content has one of them.',
    schema: { type: 'string' },
    example: '"9bb58f26192e4ba00f01e2e7b136bbd8"',
  },
  'If-Modified-Since': {
    description: 'An HTTP date: 304 if the content has not changed since.',
    schema: { type: 'string' },
    example: 'Sat, 14 Mar 2026 09:26:53 GMT',
  },
  'If-Unmodified-Since': {
    description: 'An HTTP date: refused with 412 if the content has changed since.',
    schema: { type: 'string' },
    example: 'Sat, 14 Mar 2026 09:26:53 GMT',
  },
  'Content-MD5': {
    description: 'The MD5 digest of the body in Base64; a body with another digest is refused.',
    schema: { type: 'string' },
    example: 'XUFAKrxLKna5cZ2REBfFkg==',
  },
  'Content-Digest': {
    description:
      'Digests of the body as in RFC 9530 (`sha-256`, `sha-512`); a body with another digest is refused.',
    schema: { type: 'string' },
    example: 'sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:',
  },
  'Cache-Control': {
    description: 'Kept with the object, and sent with its downloads.',
    schema: { type: 'string', maxLength: 1024 },
    example: 'public, max-age=86400',
  },
  'Content-Disposition': {
    description: 'Kept with the object, and sent with its downloads.',
    schema: { type: 'string', maxLength: 1024 },
    example: 'attachment; filename="report.pdf"',
  },
  'Content-Encoding': {
    description: 'How the body is encoded. Kept with the object, and sent with its downloads.',
    schema: { type: 'string', maxLength: 1024 },
    example: 'gzip',
  },
  'Content-Language': {
    description: 'Kept with the object, and sent with its downloads.',
    schema: { type: 'string', maxLength: 1024 },
    example: 'en-GB',
  },
} as const
export type RequestHeader = keyof typeof requestHeaders

/** Response headers. A route names those of its success in `config.sends`. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'Identifies the request in the logs. A client may choose it with a header of the same name.',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'Requests allowed in the window.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in the window.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until more requests are allowed.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'The limit that was applied: its name, `q` requests in `w` seconds.',
    schema: { type: 'string' },
    example: '"publishing.reads";q=500;w=900',
  },
  RateLimit: {
    description: 'What is left of it: `r` requests; more are allowed after `t` seconds.',
    schema: { type: 'string' },
    example: '"publishing.reads";r=499;t=900',
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
  ETag: { description: 'Identifies this content.', schema: { type: 'string' } },
  'Last-Modified': { description: 'When the content was last changed.', schema: { type: 'string' } },
  'Accept-Ranges': { description: '`bytes`: ranges can be asked for.', schema: { type: 'string' } },
  'Content-Range': { description: 'Which bytes of how many these are.', schema: { type: 'string' } },
  'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } },
  'Cache-Control': {
    description:
      'Who may keep the content for how long: as sent with the upload, otherwise decided by the server.',
    schema: { type: 'string' },
  },
  'Content-Encoding': { description: 'As sent with the upload.', schema: { type: 'string' } },
  'Content-Language': { description: 'As sent with the upload.', schema: { type: 'string' } },
  'Set-Cookie': {
    description: 'The cookie of the session, or that it is deleted.',
    schema: { type: 'string' },
  },
  Location: { description: 'The path of what was created.', schema: { type: 'string' } },
  Link: {
    description: 'The next page, as `rel="next"`; missing on the last one.',
    schema: { type: 'string' },
  },
  'X-Next-Cursor': {
    description: 'The `cursor` of the next page; missing on the last one.',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const
export type ResponseHeader = keyof typeof responseHeaders

/** What every response to a request that is counted has. */
export const rateLimitHeaders: ResponseHeader[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
]

/** What an upload of bytes reads. */
export const uploadHeaders: RequestHeader[] = [
  'Content-MD5',
  'Content-Digest',
  'If-Match',
  'If-None-Match',
  'Cache-Control',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Language',
]

/** What a download of bytes reads and sends. */
export const downloadHeaders: { reads: RequestHeader[]; sends: ResponseHeader[]; refuses: number[] } = {
  reads: ['Range', 'If-Range', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'],
  sends: [
    'ETag',
    'Last-Modified',
    'Accept-Ranges',
    'Content-Range',
    'Content-Disposition',
    'Content-Encoding',
    'Content-Language',
    'Cache-Control',
  ],
  refuses: [412, 416],
}
