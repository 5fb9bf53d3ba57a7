import { createServiceClient, type ServiceClient } from './client.ts'
import type { paths } from './generated/inventory.ts'
import type { ClientOptions } from './send.ts'

export type InventoryClient = ServiceClient<paths>

/** A client of an inventory service. With an API key it reads the events that keys may read. */
export const createInventory = (options: ClientOptions): InventoryClient =>
  createServiceClient<paths>(options, {
    events: options.apiKey ? '/api/external/events' : '/api/events',
  }).client
