import { Facts } from '#web/components/card.tsx'
import { Drawer } from '#web/components/dialog.tsx'
import { Key } from '#web/components/key.tsx'
import { When } from '#web/components/when.tsx'

/** What the audit logs of all services have of an entry. */
type Entry = {
  action: string
  actor: string
  ip_address: string
  resource_type: string
  resource_id: string | null
  created_at: string
  details: Record<string, unknown>
}

/** All that is known of an entry. */
export function EntryPanel({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  return (
    <Drawer title={entry.action} onClose={onClose}>
      <div class="stack">
        <Facts
          items={[
            ['When', <When key="when" at={entry.created_at} />],
            ['Who', entry.actor],
            ['Address', entry.ip_address || '–'],
            ['Resource', entry.resource_type],
            ['Id', entry.resource_id === null ? '–' : <Key key="id" text={entry.resource_id} />],
          ]}
        />
        <h3 class="section-title">Details</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it */}
        <pre class="snippet" tabIndex={0}>
          {JSON.stringify(entry.details, null, 2)}
        </pre>
      </div>
    </Drawer>
  )
}
