import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '#platform/durable.ts'
import { codeOf, OperatorError } from '#platform/errors.ts'
import { makeFolder } from '#platform/make-folder.ts'

export type Secrets = {
  /** Identifies the secret without revealing it. */
  fingerprint: string
  /** 32 bytes derived from the installation's secret and the purpose alone. */
  key(purpose: string): Buffer
  /** Encrypts and authenticates a text. It can be decrypted for the same purpose only. */
  seal(purpose: string, text: string): string
  unseal(purpose: string, sealed: string): string
}

const cipherName = 'aes-256-gcm'
const version = 'v1.'
const ivLength = 12
const tagLength = 16

type Place = { secret?: string; dataDir: string }

export const openSecrets = async ({ secret, dataDir }: Place): Promise<Secrets> => {
  const root = secret ?? (await readSecretFile(dataDir)) ?? (await createSecretFile(dataDir))
  const keys = new Map<string, Buffer>()

  const key = (purpose: string) => {
    let derived = keys.get(purpose)
    if (!derived) {
      derived = derive(root, purpose)
      keys.set(purpose, derived)
    }
    return derived
  }
  // A key that signs must never also encrypt, even when a caller uses one purpose for both.
  const sealingKey = (purpose: string) => key(`seal:${purpose}`)

  return {
    fingerprint: fingerprintOf(root),
    key,
    seal: (purpose, text) => version + encrypt(sealingKey(purpose), text).toString('base64url'),
    unseal(purpose, sealed) {
      if (!sealed.startsWith(version)) throw new Error('A sealed value has an unknown version')
      return decrypt(sealingKey(purpose), Buffer.from(sealed.slice(version.length), 'base64url'))
    },
  }
}

const derive = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, 'trivet', purpose, 32))

export const fingerprintOf = (secret: string) => derive(secret, 'fingerprint').toString('hex')

const encrypt = (key: Buffer, text: string) => {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv(cipherName, key, iv)
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

const decrypt = (key: Buffer, box: Buffer) => {
  if (box.length < ivLength + tagLength) throw new Error('A sealed value is too short')
  const decipher = createDecipheriv(cipherName, key, box.subarray(0, ivLength), { authTagLength: tagLength })
  decipher.setAuthTag(box.subarray(-tagLength))
  return decipher.update(box.subarray(ivLength, -tagLength), undefined, 'utf8') + decipher.final('utf8')
}

export const secretFile = (dataDir: string) => join(dataDir, 'secret')

/** The secret in the data folder, or null. Its text can be given to another node as `TRIVET_SECRET`. */
export const readSecretFile = async (dataDir: string): Promise<string | null> => {
  const kept = await readIfPresent(secretFile(dataDir))
  return kept === null ? null : requireComplete(kept, dataDir)
}

const requireComplete = (secret: string, dataDir: string) => {
  if (secret.length >= 32) return secret
  throw new OperatorError(
    `${secretFile(dataDir)} is damaged: restore it from a backup, because it signs tokens and decrypts secrets`,
  )
}

const readIfPresent = async (path: string) => {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** A link never replaces a file, so of several processes that start at the same time one wins and all read its secret. */
const createSecretFile = async (dataDir: string) => {
  const path = secretFile(dataDir)
  await makeFolder(dataDir)
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`
  try {
    const text = `${randomBytes(32).toString('base64url')}\n`
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true })
    await link(temporary, path)
    await syncFolder(dataDir)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(temporary, { force: true })
  }
  return requireComplete((await readFile(path, 'utf8')).trim(), dataDir)
}
