import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Config } from '#platform/config.ts'
import { syncFolder } from '#platform/durable.ts'
import { codeOf, OperatorError } from '#platform/errors.ts'
import { fingerprintOf, readSecretFile, secretFile } from '#platform/secrets.ts'
import { damagedBackup, type Manifest } from './manifest.ts'

type SecretConfig = Pick<Config, 'secret' | 'dataDir'>

const sourceOf = ({ secret, dataDir }: SecretConfig) => (secret ? 'TRIVET_SECRET' : secretFile(dataDir))

const writeSecret = (path: string, secret: string) =>
  writeFile(path, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true })

/** Adds the secret to a backup, unless it is configured as TRIVET_SECRET. `recorded` is the fingerprint in the database. */
export const backUpSecret = async (
  config: SecretConfig,
  recorded: string | null,
  folder: string,
): Promise<Manifest['secret']> => {
  const secret = config.secret ?? (await readSecretFile(config.dataDir))
  const fingerprint = secret ? fingerprintOf(secret) : recorded
  if (recorded && fingerprint !== recorded)
    throw new OperatorError(
      `The secret in ${sourceOf(config)} is not the one that this database was written with: set the right TRIVET_SECRET or TRIVET_DATA.`,
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

/** `install` puts the secret of the backup in place and returns the new name of the old one; `undo` reverts it. */
type Plan = { install(): Promise<string | null>; undo(): Promise<void> }
const keepSecret: Plan = { install: async () => null, undo: async () => {} }

/**
 * Decides how a system gets the secret of the backup that it restores, or refuses. A different secret is replaced only if
 * it belongs to this system, which is known to be empty. `recorded` is the fingerprint in its database, null before its
 * first start.
 */
export const planSecret = async (
  config: SecretConfig & Pick<Config, 'databaseUrl'>,
  { secret: { fingerprint, included } }: Manifest,
  recorded: string | null,
  folder: string,
): Promise<Plan> => {
  const backedUp = included ? await readBackedUp(folder, fingerprint) : null
  const present = config.secret ?? (await readSecretFile(config.dataDir))
  const found = present === null ? null : fingerprintOf(present)
  if (found === fingerprint || fingerprint === null) return keepSecret
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
  return replaceSecret(config.dataDir, backedUp, found !== null)
}

const replaceSecret = (dataDir: string, secret: string, isThere: boolean): Plan => {
  const path = secretFile(dataDir)
  let aside: string | null = null
  let installed = false
  return {
    async install() {
      const temporary = join(dataDir, `secret.${process.pid}.tmp`)
      await rm(temporary, { force: true })
      await writeSecret(temporary, secret)
      if (isThere) aside = await moveAside(path)
      await rename(temporary, path)
      installed = true
      await syncFolder(dataDir)
      return aside
    },
    async undo() {
      if (aside) await rename(aside, path)
      else if (installed) await rm(path, { force: true })
    },
  }
}

/** Links the file to a new name, so that there is a secret at any time and none is ever overwritten. */
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
  aside ? `The previous secret was renamed to ${basename(aside)}.\n` : ''
