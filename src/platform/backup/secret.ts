import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Config } from '#platform/config.ts'
import { syncFolder } from '#platform/durable.ts'
import { codeOf, OperatorError } from '#platform/errors.ts'
import { fingerprintOf, keptIn, secretFile } from '#platform/secrets.ts'
import { damagedBackup, type Manifest } from './manifest.ts'

type Secrecy = Pick<Config, 'secret' | 'dataDir'>

const whereFrom = ({ secret, dataDir }: Secrecy) => (secret ? 'TRIVET_SECRET' : secretFile(dataDir))

const writeSecret = (path: string, secret: string) =>
  writeFile(path, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })

/** Puts the secret into a backup, unless it was given as TRIVET_SECRET. `recorded` is what the database expects. */
export const backUpSecret = async (
  config: Secrecy,
  recorded: string | null,
  folder: string,
): Promise<Manifest['secret']> => {
  const secret = config.secret ?? (await keptIn(config.dataDir))
  const fingerprint = secret ? fingerprintOf(secret) : recorded
  if (recorded && fingerprint !== recorded)
    throw new OperatorError(
      `The secret in ${whereFrom(config)} is not the one that this database was written with: set the right TRIVET_SECRET or TRIVET_DATA.`,
    )
  const included = Boolean(secret && !config.secret)
  if (secret && included) await writeSecret(secretFile(folder), secret)
  return { fingerprint, included }
}

const readBackedUp = async (folder: string, fingerprint: string | null) => {
  const secret = await readFile(secretFile(folder), 'utf8').catch((error) => {
    throw error.code === 'ENOENT' ? damagedBackup(folder, 'its secret is missing') : error
  })
  if (fingerprintOf(secret.trim()) !== fingerprint)
    throw damagedBackup(folder, 'its secret is not the one that was backed up')
  return secret.trim()
}

/** What is to be done about the secret: `place` says what became of an old one, `undo` takes everything back. */
type Plan = { place(): Promise<string | null>; undo(): Promise<void> }
const nothing: Plan = { place: async () => null, undo: async () => {} }

/**
 * Decides how a system that takes in a backup gets the right secret, or refuses. Another secret makes way only if it is
 * that of this system, which is known to be empty: `recorded` is what its database expects, null before its first start.
 */
export const planSecret = async (
  config: Secrecy & Pick<Config, 'databaseUrl'>,
  { secret: { fingerprint, included } }: Manifest,
  recorded: string | null,
  folder: string,
): Promise<Plan> => {
  const backedUp = included ? await readBackedUp(folder, fingerprint) : null
  const present = config.secret ?? (await keptIn(config.dataDir))
  const found = present === null ? null : fingerprintOf(present)
  if (found === fingerprint || fingerprint === null) return nothing
  if (config.secret)
    throw new OperatorError(
      `TRIVET_SECRET is not the secret of this backup: set the one it was made with${included ? ', or unset it to use the one in the backup' : ''}.`,
    )
  if (backedUp === null)
    throw new OperatorError(
      'This backup was made with TRIVET_SECRET and holds no secret: set TRIVET_SECRET to the one it was made with.',
    )
  const isOwn = recorded === null ? !config.databaseUrl : recorded === found
  if (found !== null && !isOwn)
    throw new OperatorError(
      `${secretFile(config.dataDir)} is the secret of another system: choose another TRIVET_DATA, or move it away first.`,
    )
  return replacing(config.dataDir, backedUp, found !== null)
}

const replacing = (dataDir: string, secret: string, isThere: boolean): Plan => {
  const path = secretFile(dataDir)
  let aside: string | null = null
  let placed = false
  return {
    async place() {
      const draft = join(dataDir, `secret.${process.pid}.tmp`)
      await rm(draft, { force: true })
      await writeSecret(draft, secret)
      if (isThere) aside = await moveAside(path)
      await rename(draft, path)
      placed = true
      await syncFolder(dataDir)
      return aside
    },
    async undo() {
      if (aside) await rename(aside, path)
      else if (placed) await rm(path, { force: true })
    },
  }
}

/** A link, so that there is a secret at every moment, and none is ever written over. */
const moveAside = async (path: string) => {
  for (let n = 1; ; n++) {
    const aside = `${path}.before-restore${n > 1 ? `-${n}` : ''}`
    try {
      await link(path, aside)
      return aside
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}

export const describeAside = (aside: string | null) =>
  aside ? `The secret that was here before is now ${basename(aside)}.\n` : ''
