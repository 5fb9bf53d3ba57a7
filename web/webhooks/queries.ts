import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import type { DeliveryPage, WebhooksClient } from './client.ts'

/** Webhooks and deliveries have no events: what is shown looks for news by itself. */
const lookEveryMs = 3_000

export const webhooksQuery = (client: WebhooksClient) =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => client.list(signal),
    refetchInterval: lookEveryMs,
  })

export const webhookQuery = (client: WebhooksClient, id: string) =>
  queryOptions({
    queryKey: ['webhook', id],
    queryFn: ({ signal }) => client.get(id, signal),
    refetchInterval: lookEveryMs,
  })

export const deliveriesQuery = (client: WebhooksClient, id: string, page: DeliveryPage) =>
  queryOptions({
    queryKey: ['deliveries', id, page],
    queryFn: ({ signal }) => client.deliveries(id, page, signal),
    refetchInterval: lookEveryMs,
    placeholderData: keepPreviousData,
  })
