import assert from 'node:assert/strict'
import type { publisher } from '#test/support/factories.ts'

export type Event = {
  id: string
  type: string
  created_at: string
  subject: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what they find
  data: any
}
export type Writer = Awaited<ReturnType<typeof publisher>>

/** What an account received since `after`. */
export const eventsAfter = async ({ api }: Pick<Writer, 'api'>, after: string, query = '') => {
  const { status, body, text } = await api(`GET /api/events?limit=500&after=${after}${query}`)
  assert.equal(status, 200, text)
  return body.data.events as Event[]
}

export const lastId = async ({ api }: Pick<Writer, 'api'>) =>
  (await api('GET /api/events?limit=500')).body.data.next as string

/** What an account receives because of what somebody does. */
export const effects = async (reader: Pick<Writer, 'api'>, act: () => Promise<unknown>) => {
  const before = await lastId(reader)
  await act()
  return eventsAfter(reader, before)
}

export const typesOf = (events: Event[]) => events.map(({ type }) => type)
