import type { Sql } from '#platform/db/database.ts'
import type { Finding } from '#platform/http/service.ts'

/** What must hold for the events of a service and their deliveries, whatever the service is about. */
const checks = [
  (q: Sql, service: string) => q`
    select 'no event has an id that its service has not given out' as invariant, 'event ' || e.id as subject,
      'the last id is ' || platform.last_event_id(${service}) as detail
    from platform.events e where e.service = ${service} and e.id > platform.last_event_id(${service})`,
  (q: Sql, service: string) => q`
    select 'the first pending delivery of a subject is due, and no other' as invariant, 'delivery ' || d.id as subject,
      format('webhook %s, %s: it is number %s and %s', d.webhook_id, d.subject, d.n,
        case when d.due_at is null then 'not due' else 'due' end) as detail
    from (select *, row_number() over (partition by webhook_id, subject order by position) as n
      from platform.deliveries where service = ${service} and status = 'pending') d
    where (d.n = 1) <> (d.due_at is not null)`,
]

const mostOfAKind = 1000

export const verifyEvents = async (q: Sql, service: string): Promise<Finding[]> => {
  const found: Finding[][] = []
  for (const check of checks)
    found.push(await q<Finding[]>`select * from (${check(q, service)}) found limit ${mostOfAKind}`)
  return found.flat()
}
