import type { Logger } from 'pino'
import type { Config } from '#platform/config.ts'

/**
 * The newest minor release of each major version, as of a date. Minor releases come every quarter; they repair security
 * holes and lost or wrong data, and never change the format of data. Bring this table up to date with the dependencies.
 */
const known = {
  asOf: '2026-11-19',
  newest: new Map([
    [15, 20],
    [16, 16],
    [17, 12],
    [18, 6],
  ]),
}

/** Of a `server_version_num` such as 180004. */
export const versionOf = (number: number) => ({ major: Math.floor(number / 10_000), minor: number % 10_000 })

/** What an operator should know about the version of a server, or null. */
export const behindBy = (number: number, { databaseUrl, pgBin }: Pick<Config, 'databaseUrl' | 'pgBin'>) => {
  const { major, minor } = versionOf(number)
  const newest = known.newest.get(major)
  if (newest === undefined || minor >= newest) return null
  const advice = databaseUrl
    ? 'update the server of DATABASE_URL'
    : pgBin
      ? `update the programs in PG_BIN=${pgBin}`
      : `set PG_BIN to the programs of a newer PostgreSQL ${major} of the system, as the npm package has none yet`
  return (
    `PostgreSQL ${major}.${minor} is behind ${major}.${newest} (known on ${known.asOf}) ` +
    `and lacks its repairs of security holes and bugs: ${advice}`
  )
}

export const warnIfBehind = (number: number, config: Pick<Config, 'databaseUrl' | 'pgBin'>, log: Logger) => {
  const behind = behindBy(number, config)
  if (behind) log.warn(behind)
}
