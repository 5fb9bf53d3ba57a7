import assert from 'node:assert/strict'
import type { Client } from '#test/support/client.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they find
export type Event = { id: string; type: string; created_at: string; subject: string; data: any }

/** What happened since `after`. */
export const since = async (api: Client, after: string, query = '') => {
  const { status, body, text } = await api(`GET /events?limit=500&after=${after}${query}`)
  assert.equal(status, 200, text)
  return body.events as Event[]
}

/** Where to go on from now. */
export const now = async (api: Client) => {
  let page = (await api('GET /events?limit=500')).body
  while (page.events.length > 0) page = (await api(`GET /events?limit=500&after=${page.next}`)).body
  return page.next as string
}

export const typesOf = (events: Event[]) => events.map(({ type }) => type)

/** What one call made happen, as `reader` sees it. */
export const effects = async (reader: Client, act: () => Promise<unknown>) => {
  const before = await now(reader)
  await act()
  return since(reader, before)
}

/** The same, if it is one event. */
export const effect = async (reader: Client, act: () => Promise<unknown>) => {
  const [event, ...others] = await effects(reader, act)
  assert.ok(event, 'nothing happened')
  assert.deepEqual(others, [])
  return event
}
