import { useQuery } from '@tanstack/preact-query'
import { Button, CopyButton } from '#web/components/button.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { endpointsQuery, type NewApiKey } from './queries.ts'
import { SnippetTabs } from './snippet-tabs.tsx'

/** A new key with its secret, which is shown this once, and settings for clients. */
export function CreatedKey({ created, onClose }: { created: NewApiKey; onClose: () => void }) {
  const { data, error, refetch } = useQuery(endpointsQuery)
  return (
    <div class="stack">
      <p>
        Copy the key now. <strong>It is shown only this once.</strong>
      </p>
      <div class="secret">
        <code>{created.key}</code>
        <CopyButton text={created.key}>Copy</CopyButton>
      </div>
      <h3 class="section-title">Use it</h3>
      {data ? (
        <SnippetTabs access={{ ...created, apiUrl: data.api_url, s3Url: data.s3_url }} />
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton lines={4} />
      )}
      <div class="form-actions">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}
