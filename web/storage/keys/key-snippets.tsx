import { useQuery } from '@tanstack/preact-query'
import { SnippetTabs } from '#web/components/snippet-tabs.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { endpointsQuery, type NewApiKey } from './queries.ts'
import { snippetsOf } from './snippets.ts'

/** Settings for clients, with the addresses of this server and a new key. */
export function KeySnippets({ created }: { created: NewApiKey }) {
  const { data, error, refetch } = useQuery(endpointsQuery)
  if (data)
    return <SnippetTabs snippets={snippetsOf({ ...created, apiUrl: data.api_url, s3Url: data.s3_url })} />
  return error ? <ErrorState error={error} retry={refetch} /> : <Skeleton lines={4} />
}
