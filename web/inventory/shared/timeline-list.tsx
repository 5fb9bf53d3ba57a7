import type { ComponentChildren } from 'preact'
import { When } from '#web/components/when.tsx'

export type Happening = {
  title: ComponentChildren
  detail?: ComponentChildren
  created_at: string
  created_by_name: string | null
}

/** What happened, the latest first; given as it happened. */
export function TimelineList({ label, entries }: { label: string; entries: Happening[] }) {
  return (
    <ol class="happenings" aria-label={label}>
      {entries.toReversed().map(({ title, detail, created_at, created_by_name }, n) => (
        <li key={entries.length - n}>
          <span class="timeline-title">{title}</span>
          {detail && <span class="timeline-items">{detail}</span>}
          <span class="quiet">
            <When at={created_at} />
            {created_by_name && ` by ${created_by_name}`}
          </span>
        </li>
      ))}
    </ol>
  )
}
