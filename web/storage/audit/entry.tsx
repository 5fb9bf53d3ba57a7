import { Facts } from '#web/components/card.tsx'
import { Drawer } from '#web/components/dialog.tsx'
import { Key } from '#web/components/key.tsx'
import { When } from '#web/components/when.tsx'
import type { AuditEntry } from './queries.ts'

/** All that is known of an entry. */
export function EntryPanel(props: { entry: AuditEntry; actor: string; onClose: () => void }) {
  const { entry, actor, onClose } = props
  return (
    <Drawer title={entry.action} onClose={onClose}>
      <div class="stack">
        <Facts
          items={[
            ['When', <When key="when" at={entry.created_at} />],
            ['Who', actor],
            ['Address', entry.ip_address || '–'],
            ['Resource', entry.resource_type],
            ['Id', <Key key="id" text={entry.resource_id} />],
          ]}
        />
        <h3 class="section-title">Details</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it */}
        <pre class="snippet" tabIndex={0}>
          {JSON.stringify(entry.payload, null, 2)}
        </pre>
      </div>
    </Drawer>
  )
}
