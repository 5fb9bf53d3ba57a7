import type { Booted } from './boot.ts'
import type { Client } from './client.ts'
import { inventoryAdmin, password, publisher, storageOwner } from './factories.ts'

type Account = { api: Client; token: string; email: string }

/** The account operations that all three services have, with the paths and fields of each. */
export const accountsOf = {
  storage: {
    client: (system: Pick<Booted, 'storage'>) => system.storage,
    register: (api: Client): Promise<Account> => storageOwner({ storage: api }),
    logIn: (api: Client, email: string, secret = password) =>
      api('POST /auth/login', { body: { email, password: secret } }),
    forgot: (api: Client, email: unknown) => api('POST /auth/forgot-password', { body: { email } }),
    reset: (api: Client, token: unknown, newPassword: unknown, revokeKeys?: unknown) =>
      api('POST /auth/reset-password', { body: { token, newPassword, revokeKeys } }),
    change: (api: Client, currentPassword: unknown, newPassword: unknown, revokeKeys?: unknown) =>
      api('PATCH /settings/password', { body: { currentPassword, newPassword, revokeKeys } }),
    /** The status of a request that needs a valid session. */
    visit: async (api: Client) => (await api('GET /buckets')).status,
    makeKey: async (api: Client) => (await api('POST /auth/api-keys', { body: { label: 'x' } })).body.key,
    useKey: async (api: Client, key: string) => (await api.with({ 'x-api-key': key })('GET /buckets')).status,
    tokenOf: (body: { token: string }) => body.token,
    invalid: 400,
  },
  publishing: {
    client: (system: Pick<Booted, 'publishing'>) => system.publishing,
    register: (api: Client): Promise<Account> => publisher({ publishing: api }),
    logIn: (api: Client, email: string, secret = password) =>
      api('POST /api/auth/login', { body: { email, password: secret } }),
    forgot: (api: Client, email: unknown) => api('POST /api/auth/forgot-password', { body: { email } }),
    reset: (api: Client, token: unknown, secret: unknown, revoke_keys?: unknown) =>
      api('POST /api/auth/reset-password', { body: { token, password: secret, revoke_keys } }),
    change: (api: Client, current_password: unknown, new_password: unknown, revoke_keys?: unknown) =>
      api('PATCH /api/users/me/password', { body: { current_password, new_password, revoke_keys } }),
    visit: async (api: Client) => (await api('GET /api/users/me')).status,
    makeKey: async (api: Client) =>
      (await api('POST /api/developer/keys', { body: { name: 'x' } })).body.data.key,
    useKey: async (api: Client, key: string) =>
      (await api.with({ 'x-api-key': key })('POST /api/posts', { body: { content: 'by key' } })).status ===
      201
        ? 200
        : 401,
    tokenOf: (body: { data: { accessToken: string } }) => body.data.accessToken,
    invalid: 422,
  },
  inventory: {
    client: (system: Pick<Booted, 'inventory'>) => system.inventory,
    register: (api: Client): Promise<Account> => inventoryAdmin({ inventory: api }),
    logIn: (api: Client, email: string, secret = password) =>
      api('POST /api/auth/login', { body: { email, password: secret } }),
    forgot: (api: Client, email: unknown) => api('POST /api/auth/forgot-password', { body: { email } }),
    reset: (api: Client, token: unknown, secret: unknown, revoke_keys?: unknown) =>
      api('POST /api/auth/reset-password', { body: { token, password: secret, revoke_keys } }),
    change: (api: Client, current_password: unknown, new_password: unknown, revoke_keys?: unknown) =>
      api('PATCH /api/auth/password', { body: { current_password, new_password, revoke_keys } }),
    visit: async (api: Client) => (await api('GET /api/products')).status,
    makeKey: async (api: Client) => (await api('POST /api/api-keys', { body: { name: 'x' } })).body.key,
    useKey: async (api: Client, key: string) =>
      (await api.with({ 'x-api-key': key })('GET /api/external/products')).status,
    tokenOf: (body: { token: string }) => body.token,
    invalid: 400,
  },
} as const

export const serviceNames = Object.keys(accountsOf) as (keyof typeof accountsOf)[]

let addresses = 0
/** A client with an address of its own, so that it is subject to limits of accounts only. */
export const elsewhere = (api: Client) => {
  const n = ++addresses
  return api.with({
    'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    'x-forwarded-proto': 'https',
  })
}
