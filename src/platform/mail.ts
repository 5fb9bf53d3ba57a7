import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { randomBase62 } from '#platform/auth/api-keys.ts'

export type Mail = { to: string; subject: string; text: string; html?: string }

export type Mailer = { send(mail: Mail): Promise<void>; close(): Promise<void> }

export const createMailer = ({
  smtpUrl,
  outboxDir,
  from,
}: {
  smtpUrl?: string
  outboxDir: string
  from: string
}): Mailer => (smtpUrl === undefined ? outboxMailer(outboxDir, from) : smtpMailer(smtpUrl, from))

const timeoutMs = 10_000

const smtpMailer = (url: string, from: string): Mailer => {
  const transport = opened(({ createTransport }) =>
    createTransport({
      url,
      pool: true,
      dnsTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    }),
  )
  return {
    async send(mail) {
      await (await transport.open()).sendMail(message(mail, from))
    },
    close: transport.close,
  }
}

/** For an installation without a mail server: what would be sent lies in a folder, ready to be opened. */
const outboxMailer = (folder: string, from: string): Mailer => {
  const transport = opened(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  )
  return {
    async send(mail) {
      const { message: content } = await (await transport.open()).sendMail(message(mail, from))
      await writeWhole(folder, `${timeStamp()}-${randomBase62(8)}.eml`, content)
    },
    close: transport.close,
  }
}

/** Opens a transport for the first mail: most processes send none, and loading the library takes a tenth of a start. */
const opened = <T extends { close(): void }>(open: (library: typeof import('nodemailer')) => T) => {
  let transport: Promise<T> | undefined
  return {
    open() {
      transport ??= import('nodemailer').then(open)
      return transport
    },
    close: async () => (await transport)?.close(),
  }
}

const message = ({ to, subject, text, html }: Mail, from: string) => ({
  from,
  to: { name: '', address: singleAddress(to) },
  subject: subject.replaceAll(/[\x00-\x1f\x7f]+/g, ' '),
  text,
  ...(html === undefined ? {} : { html }),
  xMailer: false as const,
  disableFileAccess: true,
  disableUrlAccess: true,
})

const oneAddress = /^[^\s\x00-\x1f\x7f<>()[\]\\,;:"@]+@[^\s\x00-\x1f\x7f<>()[\]\\,;:"@]+$/

/** Exactly one bare address: nothing that could start a header, a display name or a second recipient. */
const singleAddress = (address: string) => {
  if (!oneAddress.test(address)) {
    throw new Error('A mail was to be sent to something that is not one address')
  }
  return address
}

const timeStamp = () => new Date().toISOString().replaceAll(/[-:.]/g, '')

const writeWhole = async (folder: string, name: string, content: Buffer | Readable) => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${name}.tmp`)
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true })
    await rename(draft, join(folder, name))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
