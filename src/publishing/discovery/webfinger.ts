import { badRequest, notFound } from '#platform/errors.ts'
import type { Publishing } from '../context.ts'
import { secureUrl } from '../feeds/feed.ts'
import { requireActiveUser } from '../profiles/profiles.ts'

/** The handle that `acct:mira@host` or the address of a profile names. */
const handleIn = (base: string, resource: string) => {
  const { host, origin } = new URL(base)
  const account = /^acct:@?([^@]+)@(.+)$/i.exec(resource)
  if (account) return account[2]!.toLowerCase() === host ? account[1] : undefined
  const url = URL.parse(resource)
  if (!url) return badRequest('resource must be an acct: address or the address of a profile')
  return url.origin === origin ? /^\/@([^/]+)\/?$/.exec(url.pathname)?.[1] : undefined
}

/** What is known of an account under its address (RFC 7033). */
export const webFinger = async (ctx: Publishing, resource: string, rel: readonly string[]) => {
  const base = ctx.config.urls.publishing
  const account = await requireActiveUser(ctx, handleIn(base, resource) ?? notFound('User not found'))
  const profile = `${base}/@${account.handle}`
  const avatar = secureUrl(account.avatar_url)
  const links = [
    { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: profile },
    ...(avatar ? [{ rel: 'http://webfinger.net/rel/avatar', href: avatar }] : []),
    ...(account.is_protected
      ? []
      : [
          {
            rel: 'http://schemas.google.com/g/2010#updates-from',
            type: 'application/atom+xml',
            href: `${base}/api/users/${account.handle}/feed.atom`,
          },
        ]),
  ]
  return {
    subject: `acct:${account.handle}@${new URL(base).host}`,
    aliases: [profile],
    links: rel.length === 0 ? links : links.filter((link) => rel.includes(link.rel)),
  }
}
