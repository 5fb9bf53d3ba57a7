import type { Instance } from './settings.ts'

type Keeping = { mailer: { readonly delivers: boolean }; instance: { readonly current: Instance } }

/** Who has the link that somebody asked for, where the server sends no mail; null where a mail brings it. */
export type LinkKeeper = { name: string; address: string | null }

export const linkKeeper = ({ mailer, instance }: Keeping): LinkKeeper | null => {
  if (mailer.delivers) return null
  const { contact } = instance.current
  return { name: contact?.replace(/^mailto:/, '') ?? 'whoever runs this server', address: contact }
}
