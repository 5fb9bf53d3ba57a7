import assert from 'node:assert/strict'
import type { Client } from '#test/support/client.ts'

type Listed = {
  id: number
  type: string
  is_read: boolean
  actor: { handle: string }
  post: { id: number; content: string } | null
}

/** A page of somebody's notifications, which must be readable. */
export const notificationsOf = async ({ api }: { api: Client }, query = '') => {
  const { status, body, text } = await api(`GET /api/notifications${query}`)
  assert.equal(status, 200, text)
  return { listed: body.data.notifications as Listed[], meta: body.meta }
}

/** What somebody is told, newest first, in short: `like by ada`. */
export const toldTo = async (who: { api: Client }, query = '') =>
  (await notificationsOf(who, query)).listed.map(({ type, actor }) => `${type} by ${actor.handle}`)

export const unreadOf = async ({ api }: { api: Client }): Promise<number> =>
  (await api('GET /api/notifications/unread-count')).body.data.unread_count
