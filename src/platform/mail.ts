import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'

export type Mail = {
  to: string
  subject: string
  text: string
  html?: string
  /** An address to which a mail program sends a POST when its user wants no more of these mails (RFC 8058). */
  unsubscribe?: string
}

export type Mailer = {
  /** Whether mails reach people, and are not left in a folder for the operator. */
  readonly delivers: boolean
  send(mail: Mail): Promise<void>
  close(): Promise<void>
}

/** Asked for each mail, because the name may change while the process runs. */
type Sender = () => { name: string; address: string }

export const createMailer = ({
  smtpUrl,
  outboxDir,
  from,
  log,
}: {
  smtpUrl?: string
  outboxDir: string
  from: Sender
  log: Pick<Logger, 'info'>
}): Mailer => (smtpUrl === undefined ? outboxMailer(outboxDir, from, log) : smtpMailer(smtpUrl, from))

const timeoutMs = 10_000

const smtpMailer = (url: string, from: Sender): Mailer => {
  const transport = lazyTransport(({ createTransport }) =>
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
    delivers: true,
    async send(mail) {
      await (await transport.open()).sendMail(message(mail, from))
    },
    close: transport.close,
  }
}

/** For an installation without a mail server: writes each mail as an .eml file into a folder. */
const outboxMailer = (folder: string, from: Sender, log: Pick<Logger, 'info'>): Mailer => {
  const transport = lazyTransport(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'windows' }),
  )
  return {
    delivers: false,
    async send(mail) {
      const { message: content } = await (await transport.open()).sendMail(message(mail, from))
      const name = `${timeStamp()}-${randomUUID().slice(0, 8)}.eml`
      await writeAtomically(folder, name, content)
      log.info({ file: join(folder, name) }, 'a mail was left in a file, because SMTP_URL is not set')
    },
    close: transport.close,
  }
}

/** Loads nodemailer for the first mail: most processes send none, and loading it takes a tenth of the start. */
const lazyTransport = <T extends { close(): void }>(open: (library: typeof import('nodemailer')) => T) => {
  let transport: Promise<T> | undefined
  return {
    open() {
      transport ??= import('nodemailer').then(open)
      return transport
    },
    close: async () => (await transport)?.close(),
  }
}

const message = ({ to, subject, text, html, unsubscribe }: Mail, from: Sender) => ({
  from: from(),
  to: { name: '', address: singleAddress(to) },
  subject: subject.replaceAll(/[\x00-\x1f\x7f]+/g, ' '),
  text,
  ...(html === undefined ? {} : { html }),
  ...(unsubscribe === undefined
    ? {}
    : {
        headers: {
          'List-Unsubscribe': `<${unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
  xMailer: false as const,
  disableFileAccess: true,
  disableUrlAccess: true,
})

const oneAddress = /^[^\s\x00-\x1f\x7f<>()[\]\\,;:"@]+@[^\s\x00-\x1f\x7f<>()[\]\\,;:"@]+$/

/** Refuses anything but one plain address, such as a second recipient, a display name or a line break. */
const singleAddress = (address: string) => {
  if (!oneAddress.test(address)) {
    throw new Error('The recipient of a mail is not a single plain address')
  }
  return address
}

const timeStamp = () => new Date().toISOString().replaceAll(/[-:.]/g, '')

const writeAtomically = async (folder: string, name: string, content: Buffer | Readable) => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `.${name}.tmp`)
  try {
    await writeFile(temporary, content, { mode: 0o600, flag: 'wx', flush: true })
    await rename(temporary, join(folder, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
