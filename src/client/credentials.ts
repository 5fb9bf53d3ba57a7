import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadConfig } from '#platform/config.ts'
import { OperatorError } from '#platform/errors.ts'
import { createStorage, type StorageClient, TrivetError, type Waiting } from '#sdk/index.ts'
import { refuse } from './refuse.ts'

/** What `trivet login` keeps: an API key that `trivet logout` revokes. */
export type Credentials = { url: string; apiKey: string; keyId: string; email: string; organization: string }

const fileOf = () => join(homedir(), '.config/trivet/credentials.json')

const readCredentials = async (): Promise<Credentials | null> => {
  try {
    return JSON.parse(await readFile(fileOf(), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new OperatorError(`${fileOf()} cannot be read: remove it and run trivet login again`)
  }
}

export const saveCredentials = async (credentials: Credentials) => {
  const file = fileOf()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, file)
  return file
}

export const forgetCredentials = () => rm(fileOf(), { force: true })

/** Who is signed in, for `trivet logout`. */
export const savedCredentials = async () =>
  (await readCredentials()) ?? refuse('Nobody is signed in: run trivet login')

export type Storage = StorageClient & {
  url: string
  /** Until when a request waits for the connection or a limit, as `Date.now` counts. */
  waiting: { until: number; reason: Waiting['reason'] }
}

/** A client for the account of `trivet login`, or for TRIVET_URL and TRIVET_API_KEY. */
const openStorage = async (): Promise<Storage> => {
  const { client } = loadConfig()
  const saved = client.url && client.apiKey ? null : await readCredentials()
  const apiKey = client.apiKey ?? saved?.apiKey ?? refuse('Nobody is signed in: run trivet login first')
  const baseUrl = client.url ?? saved?.url ?? refuse('TRIVET_API_KEY is set without TRIVET_URL')
  // A key is never sent to another server than its own.
  if (!client.apiKey && saved && new URL(baseUrl).origin !== new URL(saved.url).origin)
    refuse(`TRIVET_URL is ${baseUrl}, but trivet login was for ${saved.url}: set TRIVET_API_KEY, too`)
  const waiting: Storage['waiting'] = { until: 0, reason: 'connection' }
  const onWait = ({ reason, ms }: Waiting) =>
    void Object.assign(waiting, { reason, until: Math.max(waiting.until, Date.now() + ms) })
  return { ...createStorage({ baseUrl, apiKey, onWait }), url: baseUrl, waiting }
}

/** What the server said, in one line; after a fault of the server with the id under which it logged the request. */
export const reasonOf = (error: unknown) => {
  if (error instanceof TrivetError && error.requestId && error.status >= 500)
    return `${error.message} (request ${error.requestId})`
  return error instanceof Error ? error.message : String(error)
}

const explained = (error: unknown) =>
  error instanceof TrivetError ? new OperatorError(reasonOf(error), { cause: error }) : error

/** Refusals of the server are messages for whoever typed the command. */
export const explaining = async <T>(work: () => Promise<T>) => {
  try {
    return await work()
  } catch (error) {
    throw explained(error)
  }
}

export const withStorage = <T>(work: (storage: Storage) => Promise<T>) =>
  explaining(async () => work(await openStorage()))
