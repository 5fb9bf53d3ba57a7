import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

export type Secrets = {
  /** 32 bytes that depend on the installation's secret and the purpose, and on nothing else. */
  key(purpose: string): Buffer
  /** Encrypted and authenticated text, readable again only for the same purpose. */
  seal(purpose: string, text: string): string
  unseal(purpose: string, sealed: string): string
}

const cipherName = 'aes-256-gcm'
const version = 'v1.'
const ivLength = 12
const tagLength = 16

export const openSecrets = ({ secret, dataDir }: { secret?: string; dataDir: string }): Secrets => {
  const root = secret ?? secretKeptIn(dataDir)
  const keys = new Map<string, Buffer>()

  const key = (purpose: string) => {
    let derived = keys.get(purpose)
    if (!derived) {
      derived = Buffer.from(hkdfSync('sha256', root, 'trivet', purpose, 32))
      keys.set(purpose, derived)
    }
    return derived
  }
  // A key that signs must never also encrypt, even when a caller uses one purpose for both.
  const sealingKey = (purpose: string) => key(`seal:${purpose}`)

  return {
    key,
    seal: (purpose, text) => version + encrypt(sealingKey(purpose), text).toString('base64url'),
    unseal(purpose, sealed) {
      if (!sealed.startsWith(version)) throw new Error('A sealed value is of an unknown version')
      return decrypt(sealingKey(purpose), Buffer.from(sealed.slice(version.length), 'base64url'))
    },
  }
}

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

/** The file's text is used as it is, so an operator can hand it to a second node as `TRIVET_SECRET`. */
const secretKeptIn = (dataDir: string) => {
  const path = join(dataDir, 'secret')
  const kept = readIfThere(path) ?? generateAt(dataDir, path)
  if (kept.length < 32)
    throw new Error(`${path} is damaged: restore it from a backup, it signs tokens and opens secrets`)
  return kept
}

const readIfThere = (path: string) => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Linking never replaces: of several starters one wins, and all of them read the winner's file. */
const generateAt = (dataDir: string, path: string) => {
  mkdirSync(dataDir, { recursive: true })
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`
  try {
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
    linkSync(draft, path)
    syncFolder(dataDir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}

const syncFolder = (path: string) => {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
