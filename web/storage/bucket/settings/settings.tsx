import { useQueryClient } from '@tanstack/preact-query'
import { Card, Facts } from '#web/components/card.tsx'
import { changesOf } from '#web/components/changes.ts'
import { CheckField, SelectField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { bytes, count } from '#web/components/format.ts'
import { Key } from '#web/components/key.tsx'
import { SizeField } from '#web/components/size-field.tsx'
import { toast } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { useSession } from '#web/frame/session.ts'
import { api } from '#web/storage/api.ts'
import type { BucketTab } from '#web/storage/bucket-tab.ts'
import { DeleteBucket } from './delete-bucket.tsx'

const visibilities = [
  { value: 'private', label: 'Private' },
  { value: 'public', label: 'Public' },
]

export function BucketSettings({ bucket }: BucketTab) {
  const { can } = useSession()
  return (
    <>
      <Changes bucket={bucket} />
      <Card title="About">
        <Facts
          items={[
            ['Id', <Key key="id" text={bucket.id} />],
            ['Created', <When key="created" at={bucket.created_at} />],
            ['Objects', count(bucket.object_count)],
            ['Size', bytes(bucket.total_size_bytes)],
            ['Region', bucket.region],
          ]}
        />
      </Card>
      {can('bucket.delete') && <DeleteBucket bucket={bucket} />}
    </>
  )
}

function Changes({ bucket }: BucketTab) {
  const queries = useQueryClient()
  const known = {
    visibility: bucket.visibility,
    versioningEnabled: bucket.versioning_enabled,
    storageQuotaBytes: bucket.storage_quota_bytes,
  }
  return (
    <Card title="Access and limits">
      <Form
        initial={known}
        submit="Save changes"
        onSubmit={async (values) => {
          await api.PATCH('/buckets/{bucketId}', {
            params: { path: { bucketId: bucket.id } },
            body: changesOf(known, values),
          })
          await queries.invalidateQueries({ queryKey: ['bucket', bucket.id] })
          void queries.invalidateQueries({ queryKey: ['buckets'] })
          toast('Changes saved')
        }}
      >
        {(form) => (
          <>
            <SelectField
              form={form}
              name="visibility"
              label="Visibility"
              hint="Objects of a public bucket can be read by everybody who knows their address."
              options={visibilities}
            />
            <CheckField
              form={form}
              name="versioningEnabled"
              label="Versioning"
              hint="Keeps what is overwritten, so that it can be restored. Turning it off keeps the versions that exist."
            />
            <SizeField
              form={form}
              name="storageQuotaBytes"
              label="Quota"
              placeholder="No limit"
              hint={`The most that this bucket may hold; it holds ${bytes(bucket.total_size_bytes)} now. Leave it empty for no limit of its own.`}
            />
          </>
        )}
      </Form>
    </Card>
  )
}
