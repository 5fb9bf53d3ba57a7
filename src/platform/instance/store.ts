import type { Sql } from '#platform/db/database.ts'
import type { Instance } from './settings.ts'

export type Stored = Partial<Instance>

export const readStored = async (q: Sql): Promise<Stored> => {
  const [row] = await q<{ settings: Omit<Stored, 'logo'>; logo: Buffer | null }[]>`
    select settings, logo from platform.instance`
  return row ? { ...row.settings, ...(row.logo ? { logo: row.logo } : {}) } : {}
}

export const saveStored = async (q: Sql, { logo, ...settings }: Stored) => {
  await q`
    insert into platform.instance (settings, logo) values (${JSON.stringify(settings)}::jsonb, ${logo ?? null})
    on conflict (only_one) do update set settings = excluded.settings, logo = excluded.logo`
}
