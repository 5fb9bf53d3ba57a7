import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Booted } from './boot.ts'
import { until } from './eventually.ts'

type Outbox = Pick<Booted, 'dataDir'>

/** Every mail so far, oldest first. */
export const mails = async ({ dataDir }: Outbox) => {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.map((text) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='))
}

/** The mails to an address, once there are at least `count`. */
export const mailsTo = async (outbox: Outbox, email: string, count = 1) => {
  const find = async () => (await mails(outbox)).filter((text) => text.includes(`To: ${email}`))
  await until(`${count} mails to ${email}`, async () => (await find()).length >= count)
  return find()
}

/** The token in the link of a mail. */
export const tokenIn = (mail = '') => /[#?]token=([A-Za-z0-9_-]{43})/.exec(mail)?.[1] as string
