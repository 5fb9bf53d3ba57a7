import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '#platform/durable.ts'
import { OperatorError } from '#platform/errors.ts'
import { type Static, Type } from '#platform/type/type.ts'

const format = 3

const Count = Type.Integer({ minimum: 0 })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
// Names become file names and parts of statements, so only plain ones are accepted.
const name = '[a-z_][a-z0-9_]*'
const QualifiedName = Type.String({ pattern: `^${name}\\.${name}$` })

const Sum = Type.Object({ bytes: Count, sha256: Sha256 })

/** The contents of a backup. It is written last: a folder without a manifest is not a finished backup. */
const Manifest = Type.Object({
  format: Type.Literal(format),
  trivet: Type.String(),
  createdAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  migrations: Type.Array(
    Type.Object({ schema: Type.String(), version: Type.Integer({ minimum: 1 }), checksum: Sha256 }),
  ),
  tables: Type.Array(
    Type.Object({ name: QualifiedName, columns: Type.Array(Type.String()), rows: Count, file: Sum }),
  ),
  sequences: Type.Array(Type.Object({ name: QualifiedName, value: Type.Integer() })),
  /** The secret itself is in a separate file, unless it is configured as TRIVET_SECRET. */
  secret: Type.Object({ fingerprint: Type.Union([Sha256, Type.Null()]), included: Type.Boolean() }),
  /** `list` is the file that lists every blob with its checksum; null if the blobs stay in their bucket. */
  blobs: Type.Object({
    count: Count,
    bytes: Count,
    missing: Count,
    damaged: Count,
    list: Type.Union([Sum, Type.Null()]),
  }),
})
export type Manifest = Static<typeof Manifest>
export type Sum = Static<typeof Sum>

const manifestFile = 'manifest.json'

const checksumOf = (manifest: Manifest) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

/** Finishes the backup in a folder. Everything is on disk once this returns. */
export const writeManifest = async (folder: string, content: Omit<Manifest, 'format'>) => {
  await syncFolder(folder)
  await syncFolder(dirname(folder))
  const manifest: Manifest = { format, ...content }
  const temporary = join(folder, `${manifestFile}.draft`)
  const file = await open(temporary, 'wx', 0o600)
  try {
    const text = JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 2)
    await file.writeFile(`${text}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, join(folder, manifestFile))
  await syncFolder(folder)
  return manifest
}

const parseObject = (text: string): Record<string, unknown> | null => {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

export const damagedBackup = (folder: string, what: string) =>
  new OperatorError(`The backup in ${folder} is damaged: ${what}.`)

export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error) => {
    if (!['ENOENT', 'ENOTDIR'].includes(error.code)) throw error
    throw new OperatorError(`${folder} is not a finished backup: it has no ${manifestFile}.`)
  })
  // Loaded only here, because a server does not need it: it takes several MiB.
  const { Check } = await import('typebox/value')
  const found = parseObject(text)
  if (!found) throw damagedBackup(folder, `${manifestFile} is not JSON`)
  if (found.format !== format)
    throw new OperatorError(
      `The backup in ${folder} has format ${JSON.stringify(found.format) ?? 'unknown'}, but this Trivet reads format ${format}.`,
    )
  const { checksum, ...manifest } = found
  if (!Check(Manifest, manifest)) throw damagedBackup(folder, `${manifestFile} is incomplete`)
  if (checksum !== checksumOf(manifest)) throw damagedBackup(folder, `${manifestFile} has been changed`)
  return manifest
}
