import type { Client } from './client.ts'

/** How many requests a server is handling, without the one that asks. */
export const requestsInFlight = async (api: Client) =>
  Number(/^trivet_http_requests_in_flight\{[^}]*\} (\d+)$/m.exec((await api('GET /metrics')).text)?.[1])
