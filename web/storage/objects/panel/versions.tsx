import { Download, RotateCcw, Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { bytes, fullTime } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { useSession } from '#web/frame/session.ts'
import { api, type Bucket, type Schemas } from '../../api.ts'
import { attempt } from '../actions.ts'
import { downloadVersion } from '../download.ts'
import { renewAbout, renewObjects } from '../queries.ts'
import { type Place, restore } from '../transfer.ts'
import { Section } from './section.tsx'

type Version = Schemas['Version']
type Props = { bucket: Bucket; place: Place; versions: Version[] | undefined }

const shownAtFirst = 10

/** Every content that the key has had and still has. */
export function Versions({ bucket, place, versions = [] }: Props) {
  const [all, setAll] = useState(false)
  const shown = all ? versions : versions.slice(0, shownAtFirst)
  return (
    <Section title="Versions">
      {!bucket.versioning_enabled && <p class="quiet">The bucket keeps no versions of what is replaced.</p>}
      <ul class="versions">
        {shown.map((version) => (
          <VersionRow key={version.version_id} place={place} version={version} />
        ))}
      </ul>
      {versions.length > shown.length && (
        <Button onClick={() => setAll(true)}>Show all {versions.length} versions</Button>
      )}
    </Section>
  )
}

const VersionRow = ({ place, version }: { place: Place; version: Version }) => {
  const { can } = useSession()
  const { version_id, created_at, size_bytes, is_current, expires_at } = version
  const time = fullTime(new Date(created_at))
  const bringBack = () =>
    attempt(async () => {
      await restore(api, place, version_id)
      await renewObjects(place.bucketId)
      toast('Restored. What was there is kept as a version.')
    })
  const remove = () =>
    attempt(async () => {
      const isSure = await confirm({
        title: 'Delete this version?',
        text: `The content of ${time} (${bytes(size_bytes)}) will be lost for good.`,
        verb: 'Delete version',
        danger: true,
      })
      if (!isSure) return
      await api.DELETE('/buckets/{bucketId}/versions', {
        params: {
          path: { bucketId: place.bucketId },
          query: { objectKey: place.key, versionId: version_id },
        },
      })
      await renewAbout(place)
      toast('Version deleted')
    })
  return (
    <li class="version">
      <div>
        <When at={created_at} /> {is_current && <Badge tone="accent">Current</Badge>}
        <div class="quiet">
          {bytes(size_bytes)}
          {expires_at && (
            <>
              {' · goes '}
              <When at={expires_at} />
            </>
          )}
        </div>
      </div>
      {!is_current && (
        <div class="version-actions">
          <Button
            icon={Download}
            label={`Download the version of ${time}`}
            onClick={() => attempt(() => downloadVersion(place, version_id))}
          >
            Download
          </Button>
          {can('object.write') && (
            <Button icon={RotateCcw} onClick={bringBack}>
              Restore
            </Button>
          )}
          {can('object.purge') && (
            <Button icon={Trash2} onClick={remove}>
              Delete
            </Button>
          )}
        </div>
      )}
    </li>
  )
}
