import { createStorage, type StorageSchemas } from '#sdk/index.ts'
import { guardedFetch } from '#web/frame/guarded-fetch.ts'

/** The API of the service that this console belongs to, by the session of the browser. */
export const api = createStorage({
  baseUrl: location.origin,
  session: true,
  fetch: guardedFetch,
})

export type Schemas = StorageSchemas['schemas']
export type Bucket = Schemas['Bucket']
export type Account = Schemas['Account']
