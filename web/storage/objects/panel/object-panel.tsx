import { useQuery } from '@tanstack/preact-query'
import { Download, Link2 } from 'lucide-preact'
import { Button } from '#web/components/button.tsx'
import { Facts } from '#web/components/card.tsx'
import { Drawer } from '#web/components/dialog.tsx'
import { bytes } from '#web/components/format.ts'
import { Key } from '#web/components/key.tsx'
import { Menu, type MenuItem } from '#web/components/menu.tsx'
import { Empty, ErrorState, Skeleton } from '#web/components/states.tsx'
import { When } from '#web/components/when.tsx'
import type { Bucket, Schemas } from '../../api.ts'
import { shownName } from '../paths.ts'
import { objectQuery, versionsQuery } from '../queries.ts'
import { checksumsOf } from './checksums.ts'
import { Events } from './events.tsx'
import { Preview } from './preview.tsx'
import { Section } from './section.tsx'
import { Tags } from './tags.tsx'
import { Versions } from './versions.tsx'

type Props = { bucket: Bucket; objectKey: string; actions: MenuItem[]; onClose: () => void }

/** One object: what it looks like, and all that is known of it. */
export function ObjectPanel({ bucket, objectKey: key, actions, onClose }: Props) {
  const place = { bucketId: bucket.id, key }
  const { data: object, error, refetch } = useQuery(objectQuery(place))
  return (
    <Drawer title={shownName(key)} onClose={onClose} wide>
      {object ? (
        <Known bucket={bucket} object={object} actions={actions} />
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : object === null ? (
        <Empty
          title="This object is gone"
          text="It was deleted, moved or renamed. You may find it in the trash."
        />
      ) : (
        <Skeleton lines={8} />
      )}
    </Drawer>
  )
}

type KnownProps = { bucket: Bucket; object: Schemas['Object']; actions: MenuItem[] }

const Known = ({ bucket, object, actions }: KnownProps) => {
  const place = { bucketId: bucket.id, key: object.object_key }
  const { data: versions } = useQuery(versionsQuery(place, object.updated_at))
  const current = versions?.find(({ is_current }) => is_current)
  const pairs = Object.entries(object.metadata)
  const shown = actions.filter(({ label }) => label === 'Download' || label === 'Copy link')
  const more = actions.filter((item) => !shown.includes(item))
  return (
    <div class="object-panel">
      <div class="panel-actions">
        {shown.map(({ label, onSelect }) => (
          <Button key={label} icon={label === 'Download' ? Download : Link2} onClick={() => onSelect?.()}>
            {label}
          </Button>
        ))}
        {more.length > 0 && <Menu label="More actions" items={more} />}
      </div>
      <Preview object={object} />
      <Section title="Details">
        <Facts
          items={[
            ['Key', <Key key="key" text={object.object_key} />],
            ['Size', `${bytes(object.size_bytes)} (${object.size_bytes.toLocaleString()} bytes)`],
            ['Type', object.content_type],
            ['Modified', <When key="modified" at={object.updated_at} />],
            ['Created', <When key="created" at={object.created_at} />],
          ]}
        />
      </Section>
      <Section title="Checksums">
        <Facts
          items={checksumsOf(object.etag, current?.checksum ?? null).map(([name, value]) => [
            name,
            <Key key={name} text={value} />,
          ])}
        />
      </Section>
      <Section title="Metadata">
        {pairs.length > 0 ? (
          <Facts items={pairs.map(([name, value]) => [name, <bdi key={name}>{value}</bdi>])} />
        ) : (
          <p class="quiet">None. Pairs of names and values are sent with an upload.</p>
        )}
      </Section>
      <Tags place={place} changedAt={object.updated_at} />
      <Versions bucket={bucket} place={place} versions={versions} />
      <Events place={place} objectId={object.id} changedAt={object.updated_at} />
    </div>
  )
}
