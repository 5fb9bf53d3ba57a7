import { OperatorError } from '#platform/errors.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { Sql } from './database.ts'

/** The fingerprint of the secret that this database is used with, or null if it has never been served. */
export const secretOf = async (q: Sql): Promise<string | null> => {
  const [table] = await q<{ there: boolean }[]>`
    select to_regclass('platform.installation') is not null as there`
  if (!table?.there) return null
  const [row] = await q<{ fingerprint: string }[]>`
    select secret_fingerprint as fingerprint from platform.installation`
  return row?.fingerprint ?? null
}

/** Records the secret at the first start. Refuses to start with another one, which could not decrypt what is stored. */
export const checkSecret = async (q: Sql, { fingerprint }: Secrets) => {
  await q`insert into platform.installation (secret_fingerprint) values (${fingerprint}) on conflict do nothing`
  if ((await secretOf(q)) !== fingerprint)
    throw new OperatorError(
      'The secret is not the one that this database was written with: set the right TRIVET_SECRET or TRIVET_DATA, ' +
        'or, if it is lost, accept the new one with "trivet secret accept".',
    )
}

/** Records a new secret. What was encrypted with the old one remains unreadable. */
export const acceptSecret = (q: Sql, { fingerprint }: Secrets) => q`
  insert into platform.installation (secret_fingerprint) values (${fingerprint})
  on conflict (only_one) do update set secret_fingerprint = excluded.secret_fingerprint`
