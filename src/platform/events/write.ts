import type { ServiceName } from '#platform/config.ts'
import type { Sql } from '#platform/db/database.ts'

/** What happened to what: `data` is the resource as it is now, or was before it was deleted. */
export type NewEvent = { service: ServiceName; owner: string; type: string; subject: string; data: object }

/**
 * Writes an event as part of a transaction, which holds the locks of what the event is about. A change that is one statement
 * writes its events itself: `insert into platform.events (service, owner, type, subject, data)`.
 */
export const addEvent = (q: Sql, { service, owner, type, subject, data }: NewEvent) => q`
  insert into platform.events (service, owner, type, subject, data)
  values (${service}, ${owner}, ${type}, ${subject}, ${JSON.stringify(data)}::json)`
