import { type OpenSql, openSql } from '#test/support/sql.ts'
import type { Request } from '../load.ts'
import { prepare } from '../storage/account.ts'
import { call, type Trivet } from '../system.ts'

export const rowCount = 100_000
/** A larger file might take longer on a busy machine than a client may wait. */
const linesPerFile = 20_000

/** A request whose response comes from tables that `fill` has yet to fill. */
export type Case = { name: string; request: Request; fill(): Promise<unknown> }

const products = async ({ urls }: Trivet): Promise<Case> => {
  const base = `${urls.inventory}/api`
  const { token } = (await call('POST', `${base}/auth/register`, {
    company_name: 'Fresh', name: 'Fresh', email: 'fresh@example.com', password: 'bench-bench',
  })) as { token: string } // biome-ignore format: one line
  const headers = { authorization: `Bearer ${token}` }
  const lines = Array.from({ length: rowCount }, (_, n) => `Product ${n},SKU-${n},10.00,5.00`)
  return {
    name: 'list of 50 products with stock',
    request: { url: `${base}/products?limit=50`, headers },
    fill: async () => {
      for (let first = 0; first < rowCount; first += linesPerFile) {
        const part = lines.slice(first, first + linesPerFile).join('\n')
        const response = await fetch(`${base}/products/import`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'text/csv' },
          body: `name,sku,base_price,cost_price\n${part}\n`,
        })
        if (!response.ok) throw new Error(`import: ${response.status} ${await response.text()}`)
      }
    },
  }
}

/** Uploading so many objects would take minutes, so their rows are inserted. */
const objects = async (trivet: Trivet, sql: OpenSql): Promise<Case> => {
  const { root, headers, bucketId } = await prepare(trivet, 'fresh')
  return {
    name: 'list of 100 objects in a folder',
    request: { url: `${root}?prefix=dept-007/&delimiter=/&limit=100`, headers },
    fill: () => sql`
      insert into storage.objects (id, org_id, bucket_id, object_key, version_id, content_type, size_bytes, etag,
        metadata, blobs, stored_at, created_at, updated_at)
      select gen_random_uuid(), b.org_id, b.id,
        format('dept-%s/report-%s.txt', lpad((n % 200)::text, 3, '0'), lpad(n::text, 7, '0')),
        gen_random_uuid(), 'text/plain', 0, md5(n::text), '{}', '{}', now(), now(), now()
      from storage.buckets b, generate_series(1, ${rowCount}::int) n where b.id = ${bucketId}`,
  }
}

const timeline = async ({ urls }: Trivet, sql: OpenSql): Promise<Case> => {
  const base = `${urls.publishing}/api`
  const { data } = (await call('POST', `${base}/auth/register`, {
    email: 'fresh@example.com', password: 'bench-bench', handle: 'fresh', username: 'Fresh',
  })) as { data: { user: { id: number }; accessToken: string } } // biome-ignore format: one line
  const authors = 1_000
  // Before the account reads its timeline for the first time: the server keeps whom it follows.
  await sql`
    with authors as (
      insert into publishing.users (email, handle, username, password_hash, words, created_at)
      select 'fresh' || n || '@example.com', 'fresh' || n, 'Fresh ' || n, '-', 'fresh' || n, now()
      from generate_series(1, ${authors}::int) n returning id
    )
    insert into publishing.follows (follower_id, followee_id, is_accepted, created_at)
    select ${data.user.id}::bigint, id, true, now() from authors order by id limit 100`
  return {
    name: 'home timeline of 100 followed accounts',
    request: { url: `${base}/timeline/home`, headers: { authorization: `Bearer ${data.accessToken}` } },
    fill: () => sql`
      insert into publishing.posts (author_id, type, content, content_html, audience, created_at)
      select id, 'post', 'Post ' || n, 'Post ' || n, 'public', now()
      from generate_series(1, ${rowCount / authors}::int) n, publishing.users where handle <> 'fresh'`,
  }
}

export const openCases = async (trivet: Trivet) => {
  const sql = await openSql(trivet.database)
  return {
    cases: [await products(trivet), await objects(trivet, sql), await timeline(trivet, sql)],
    /** Ends the server's own connections, and with them every plan that they have. */
    reconnect: () => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'trivet' and datname = current_database()`,
    vacuumAnalyze: () => sql`vacuum analyze`,
    end: sql.end,
  }
}
