import { openDatabase } from '#platform/db/database.ts'
import type { Connection } from '#platform/db/dial.ts'

/**
 * A bucket with as many objects as wanted, in 200 folders, straight into the database: what is to be measured is
 * listing them, and uploading a million would take an hour. One key in a thousand contains `rare`, spread evenly,
 * but never more than ten in all; every key contains `report`.
 */
export const fillBucket = async (database: Connection, bucketId: string, count: number) => {
  const db = await openDatabase(database)
  try {
    await db.transaction(async (tx) => {
      await tx`set local statement_timeout = 0`
      await tx`set local maintenance_work_mem = '512MB'`
      // Taken off and built again at the end: many times quicker than taking up row by row.
      await tx`drop index storage.objects_search`
      await tx`alter table storage.objects disable trigger user`
      await tx`
        insert into storage.objects (id, org_id, bucket_id, object_key, version_id, content_type, size_bytes, etag,
          metadata, blobs, stored_at, created_at, updated_at)
        select gen_random_uuid(), b.org_id, b.id,
          format('dept-%s/%s-%s.txt', lpad((n % 200)::text, 3, '0'),
            case when n % ${Math.floor(count / 10)}::int = 7 then 'rare-report' else 'report' end, lpad(n::text, 7, '0')),
          gen_random_uuid(), 'text/plain', 0, md5(n::text), '{}', '{}', now(), now(), now()
        from storage.buckets b, generate_series(1, ${count}::int) n where b.id = ${bucketId}`
      await tx`update storage.buckets set object_count = object_count + ${count},
        retained_objects = retained_objects + ${count} where id = ${bucketId}`
      await tx`create index objects_search on storage.objects using gin ((object_key || '') public.gin_trgm_ops)`
      await tx`alter table storage.objects enable trigger user`
    })
    await db.sql`vacuum analyze storage.objects`
  } finally {
    await db.close()
  }
}
