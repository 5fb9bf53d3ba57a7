import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Measure } from '../measure.ts'

type Limit = { measure: Measure; stop(): void }

/** The least that is durable: write, fdatasync, rename, fsync of the folder. Each writer writes one file after the other. */
export const fileLoop = async (folder: string, size: number, writers = 1): Promise<Limit> => {
  const child = fork(new URL(import.meta.url), ['files', folder, String(size), String(writers)])
  await once(child, 'message')
  return {
    measure: async (seconds) => {
      child.send(seconds)
      return (await once(child, 'message'))[0] as number
    },
    stop: () => void child.kill(),
  }
}

const writeOne = async (folder: string, bytes: Buffer, n: number) => {
  const draft = join(folder, `draft-${n}`)
  const file = await open(draft, 'w')
  await file.write(bytes)
  await file.datasync()
  await file.close()
  await rename(draft, join(folder, `file-${n % 1000}`))
  const directory = await open(folder, 'r')
  await directory.sync()
  await directory.close()
}

const writeFiles = async (folder: string, bytes: Buffer, writers: number) => {
  await mkdir(folder, { recursive: true })
  process.on('disconnect', () => void rm(folder, { recursive: true, force: true }))
  process.on('message', async (seconds: number) => {
    const end = performance.now() + seconds * 1000
    let written = 0
    const loop = async () => {
      while (performance.now() < end) await writeOne(folder, bytes, written++)
    }
    await Promise.all(Array.from({ length: writers }, loop))
    process.send?.(written / seconds)
  })
  process.send?.(0)
}

if (process.argv[2] === 'files')
  await writeFiles(
    process.argv[3] as string,
    Buffer.alloc(Number(process.argv[4]), 'b'),
    Number(process.argv[5]),
  )

/**
 * The rows of a small object: its bytes, the object, the audit entry and the counters. Nothing is checked. The bucket is
 * updated before the organization, which is the order of the service.
 */
export const putQuery = `
  with bytes as (
    insert into storage.blobs (id, org_id, size_bytes, md5, data, created_at)
    values (gen_random_uuid(), $1, $3::int, $4::bytea, convert_to(repeat('u', $3::int), 'UTF8'), now()) returning id
  ), object as (
    insert into storage.objects (id, org_id, bucket_id, object_key, version_id, content_type, size_bytes, etag,
      metadata, blobs, stored_at, created_at, updated_at)
    select gen_random_uuid(), $1, $2, gen_random_uuid()::text, gen_random_uuid(), 'application/octet-stream', $3::int,
      encode($4::bytea, 'hex'), '{}', array[bytes.id], now(), now(), now() from bytes
    returning id, bucket_id, object_key
  ), audited as (
    insert into storage.audit_logs (id, org_id, action, resource_type, resource_id, ip_address, payload, created_at)
    select gen_random_uuid(), $1, 'object.uploaded', 'object', object.id::text, '127.0.0.1',
      jsonb_build_object('bucketId', bucket_id, 'objectKey', object_key), now() from object
  ), counted as (
    update storage.organizations set storage_used_bytes = storage_used_bytes + $3::int,
      retained_objects = retained_objects + 1 where id = $1
  )
  update storage.buckets set object_count = object_count + 1, total_size_bytes = total_size_bytes + $3::int,
    retained_objects = retained_objects + 1, retained_bytes = retained_bytes + $3::int where id = $2`
