import { join } from 'node:path'
import { damagedBackup } from '#platform/backup/manifest.ts'
import { linesOf } from '#platform/backup/sums.ts'
import { isUuid } from '#platform/ids.ts'
import { type Static, Type } from '#platform/type/type.ts'
import { blobPath } from './files.ts'
import { type Collection, collections } from './open.ts'

/** How many blobs are copied or compared in parallel. */
export const parallelCopies = 8

/** Lists every blob of a backup, one per line: there may be millions. */
export const listFile = 'blobs.jsonl'

/** `sha256` is null for a blob that was missing when the backup was made. */
const Entry = Type.Object({
  in: Type.Enum([...collections]),
  id: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()]),
})
export type Entry = Static<typeof Entry>

/** The path of a blob below the folder of all blobs. */
export const pathIn = (collection: Collection, id: string) => join(collection, blobPath(id))
export const backedUpPath = (collection: Collection, id: string) => join('blobs', pathIn(collection, id))

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

export const entriesOf = async function* (folder: string): AsyncGenerator<Entry> {
  // Loaded only here, because a server does not need it: it takes several MiB.
  const { Check } = await import('typebox/value')
  for await (const line of linesOf(join(folder, listFile))) {
    const entry = parsed(line)
    if (!Check(Entry, entry) || !isUuid(entry.id))
      throw damagedBackup(folder, `${listFile} names something that is not a blob`)
    yield entry
  }
}
