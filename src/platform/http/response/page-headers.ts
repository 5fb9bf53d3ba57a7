import type { App } from '../app.ts'

/** What none of our pages uses, so that nothing within them can. */
export const permissionsPolicy = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'
/** For a page that reads codes by the camera. */
export const cameraPolicy = permissionsPolicy.replace('camera=()', 'camera=(self)')

/** Headers that every page has. A page that sets the first of them itself keeps it. */
export const protectPages = (app: App, publicUrl: string) => {
  const isSecure = publicUrl.startsWith('https:')
  app.addHook('onSend', (_req, reply, _payload, done) => {
    const type = reply.getHeader('content-type')
    if (typeof type !== 'string' || !type.startsWith('text/html')) return done()
    if (!reply.hasHeader('permissions-policy')) reply.header('permissions-policy', permissionsPolicy)
    const policy = reply.getHeader('content-security-policy')
    if (isSecure && typeof policy === 'string')
      reply.header('content-security-policy', `${policy}; upgrade-insecure-requests`)
    done()
  })
}
