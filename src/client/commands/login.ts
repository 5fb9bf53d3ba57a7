import { hostname } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { Command } from '@commander-js/extra-typings'
import { examples, type Output } from '#platform/cli.ts'
import { loadConfig } from '#platform/config.ts'
import { OperatorError } from '#platform/errors.ts'
import { printable } from '#platform/printable.ts'
import { createStorage, TrivetError } from '#sdk/index.ts'
import { explaining, forgetCredentials, saveCredentials, savedCredentials } from '../credentials.ts'

/** Asks on the terminal; a secret is not shown while it is typed. */
const ask = async (question: string, { hidden = false } = {}) => {
  if (!process.stdin.isTTY) throw new OperatorError('This is no terminal: give --email and --password-stdin')
  const output = hidden ? undefined : process.stderr
  const lines = createInterface({ input: process.stdin, ...(output ? { output } : {}), terminal: true })
  try {
    if (hidden) process.stderr.write(question)
    return await lines.question(hidden ? '' : question)
  } finally {
    lines.close()
    if (hidden) process.stderr.write('\n')
  }
}

const needsCode = (error: unknown) =>
  error instanceof TrivetError && error.status === 401 && /code|two-factor|totp/i.test(error.message)

const signIn = async (baseUrl: string, email: string, password: string, code?: string) => {
  const storage = createStorage({ baseUrl })
  const attempt = (totpToken?: string) =>
    storage.POST('/auth/login', { body: { email, password, ...(totpToken ? { totpToken } : {}) } })
  const { data } = await attempt(code)
    .catch(async (error) => {
      if (code || !needsCode(error) || !process.stdin.isTTY) throw error
      return attempt(await ask('Code: '))
    })
    .catch((error) => {
      throw explained(error, baseUrl)
    })
  return data?.token ? data : refuseAddress(baseUrl)
}

const refuseAddress = (baseUrl: string): never => {
  throw new OperatorError(`${baseUrl} is not a Trivet storage service`)
}

/** What is no storage service has no such address, or answers with something else than JSON. */
const explained = (error: unknown, baseUrl: string) => {
  if (error instanceof SyntaxError) return refuseAddress(baseUrl)
  if (!(error instanceof TrivetError)) return error
  // Storage refuses nothing without JSON.
  const isElse = typeof error.body === 'string' && error.status >= 400 && error.status < 500
  if (isElse || error.status === 404 || error.status === 405) return refuseAddress(baseUrl)
  // What is too short for a password is a wrong one.
  const isTooShort = error.status === 400 && error.fields.some(({ field }) => field === 'password')
  return isTooShort ? new OperatorError('Invalid email or password') : error
}

export const loginCommand = (stdout: Output) =>
  new Command('login')
    .description('Sign in to a storage service, for the commands that use it')
    .option('--url <address>', 'Address of the service (default: TRIVET_URL, or http://localhost:4001)')
    .option('--email <address>', 'Email address of the account')
    .option('--password-stdin', 'Read the password from standard input')
    .option('--code <digits>', 'Code of the second factor, if it is on')
    .addHelpText(
      'after',
      examples(
        'trivet login --url https://files.example.com',
        'trivet login --email a@b.c --password-stdin < file',
      ),
    )
    .action(({ url, email, passwordStdin, code }) =>
      explaining(async () => {
        const baseUrl = (url ?? loadConfig().client.url ?? 'http://localhost:4001').replace(/\/+$/, '')
        if (!URL.canParse(baseUrl)) throw new OperatorError(`--url must be an address, not ${baseUrl}`)
        const address = email ?? (await ask('Email: '))
        const password = passwordStdin
          ? (await readAll(process.stdin)).replace(/\r?\n$/, '')
          : await ask('Password: ', { hidden: true })
        const { token, user, organization } = await signIn(baseUrl, address, password, code)
        const { data: key } = await createStorage({ baseUrl, token }).POST('/auth/api-keys', {
          body: { label: `trivet on ${hostname()}`.slice(0, 64) },
        })
        const file = await saveCredentials({
          url: baseUrl,
          apiKey: key.key,
          keyId: key.id,
          email: user.email,
          organization: organization.slug,
        })
        stdout.write(`Signed in to ${baseUrl} as ${printable(`${user.email} (${organization.slug})`)}.\n`)
        stdout.write(`An API key of this machine is kept in ${file}; trivet logout revokes it.\n`)
      }),
    )

export const logoutCommand = (stdout: Output) =>
  new Command('logout').description('Sign out: revoke the API key of this machine').action(() =>
    explaining(async () => {
      const { url, apiKey, keyId, email } = await savedCredentials()
      const storage = createStorage({ baseUrl: url, apiKey })
      await storage.DELETE('/auth/api-keys/{id}', { params: { path: { id: keyId } } }).catch((error) => {
        // Somebody else has revoked it.
        if (!(error instanceof TrivetError) || ![401, 404].includes(error.status)) throw error
      })
      await forgetCredentials()
      stdout.write(`Signed out of ${url} (${email}).\n`)
    }),
  )
