import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { When } from '#web/components/when.tsx'
import { eventsQuery } from '../queries.ts'
import type { Place } from '../transfer.ts'
import { wordsOf } from './event-words.ts'
import { Section } from './section.tsx'

const shownAtFirst = 10

/** What happened to an object, newest first. */
export function Events({
  place,
  objectId,
  changedAt,
}: {
  place: Place
  objectId: string
  changedAt: string
}) {
  const [all, setAll] = useState(false)
  const { data = [] } = useQuery(eventsQuery(place, objectId, changedAt))
  const shown = all ? data : data.slice(0, shownAtFirst)
  return (
    <Section title="Events">
      {data.length === 0 && <p class="quiet">Nothing is recorded any more.</p>}
      <ol class="timeline">
        {shown.map((event) => (
          <li key={event.id}>
            <bdi>{wordsOf(event)}</bdi> <When at={event.created_at} />
          </li>
        ))}
      </ol>
      {data.length > shown.length && (
        <Button onClick={() => setAll(true)}>Show all {data.length} events</Button>
      )}
    </Section>
  )
}
