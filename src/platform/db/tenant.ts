import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string | null>()

/**
 * Runs `work` on behalf of a tenant: what it asks of the database counts against the share of that tenant. Null for what is
 * nobody's in particular, such as jobs, and what caches load for all.
 */
export const onBehalfOf = <T>(tenant: string | null, work: () => T): T => current.run(tenant, work)

export const presentTenant = (): string | null => current.getStore() ?? null
