import { QueryClient } from '@tanstack/preact-query'

/** What has been read from the service. Repeating requests is the client's business, which knows about limits. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 5_000, refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: 'always' },
  },
})
