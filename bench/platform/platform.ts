import { bareServer } from '../bare.ts'
import { driverRate } from '../driver.ts'
import { load } from '../load.ts'
import { compare, type Result } from '../measure.ts'
import { call, type Trivet } from '../system.ts'

/** What the platform costs on top of one query. For a route without one see `mixed`. */
export const platformWorkloads = async function* ({ urls, database }: Trivet): AsyncGenerator<Result> {
  const account = await call('POST', `${urls.storage}/auth/register`, {
    organizationName: 'Bench', organizationSlug: 'bench', fullName: 'Bench', email: 'bench@example.com', password: 'bench-bench',
  }) as { token: string; organization: { id: string } } // biome-ignore format: one line
  const { key } = (await call(
    'POST',
    `${urls.storage}/auth/api-keys`,
    {},
    { authorization: `Bearer ${account.token}` },
  )) as { key: string }
  const headers = { 'x-api-key': key }
  for (let n = 0; n < 20; n++) await call('POST', `${urls.storage}/buckets`, { name: `bucket-${n}` }, headers)
  const url = `${urls.storage}/buckets`
  const subject = async (seconds: number) => (await load({ url, headers, seconds })).perSecond

  const driver = await driverRate(
    database,
    `select id, name, visibility, versioning_enabled, region, storage_quota_bytes, object_count, total_size_bytes, created_at
     from storage.buckets where org_id = $1 order by id desc`,
    [account.organization.id],
  )
  yield await compare({
    name: 'GET /buckets (20, API key)',
    limit: 'the query through the driver',
    subject,
    against: driver.measure,
  })
  driver.stop()

  const list = await bareServer({ url, headers })
  yield await compare({
    name: 'GET /buckets (20, API key)',
    limit: 'bare node:http, same bytes',
    subject,
    against: list.measure(),
  })
  list.stop()
}
