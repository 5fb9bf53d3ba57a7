import type { Service } from '#platform/http/service.ts'

/** Search engines read what everybody can read; the rest is for people who are signed in, or for programs. */
export const site: Service['site'] = {
  robots: {
    disallow: [
      '/api/',
      '/blocked',
      '/compose',
      '/confirm-email',
      '/forgot-password',
      '/home',
      '/keys',
      '/muted',
      '/notifications',
      '/posts/',
      '/requests',
      '/reset-password',
      '/search',
      '/settings',
      '/sign-in',
      '/sign-out',
      '/sign-up',
      '/unsubscribe',
    ],
    sitemap: '/sitemap.xml',
  },
  manifest: ({ instance: { current } }) => ({
    name: current.name,
    short_name: current.name,
    description: current.description || 'Short messages that everybody can read.',
    lang: current.language,
  }),
  changePassword: '/settings/password',
}
