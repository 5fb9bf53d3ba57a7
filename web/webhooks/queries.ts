import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import type { DeliveryPage, WebhooksClient } from './client.ts'

export const webhooksQuery = (client: WebhooksClient) =>
  queryOptions({ queryKey: ['webhooks'], queryFn: ({ signal }) => client.list(signal) })

export const webhookQuery = (client: WebhooksClient, id: string) =>
  queryOptions({ queryKey: ['webhook', id], queryFn: ({ signal }) => client.get(id, signal) })

/** Deliveries are no events, so that the list looks for news by itself while it is shown. */
const lookEveryMs = 3_000

export const deliveriesQuery = (client: WebhooksClient, id: string, page: DeliveryPage) =>
  queryOptions({
    queryKey: ['deliveries', id, page],
    queryFn: ({ signal }) => client.deliveries(id, page, signal),
    refetchInterval: lookEveryMs,
    placeholderData: keepPreviousData,
  })
