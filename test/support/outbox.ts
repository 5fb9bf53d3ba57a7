import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a system without an SMTP server has sent: the letters in its outbox. */
export const outboxOf = ({ dataDir }: { dataDir: string }) => {
  const folder = join(dataDir, 'outbox')
  const mails = async () => {
    const names = await readdir(folder).catch(() => [])
    const texts = await Promise.all(
      names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(folder, name), 'utf8')),
    )
    return texts.map((text) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='))
  }
  /** All to this address, once there are as many. */
  const mailTo = async (email: string, count = 1) => {
    for (let tries = 0; tries < 600; tries++) {
      const mine = (await mails()).filter((text) => text.includes(`To: ${email}`))
      if (mine.length >= count) return mine
      await sleep(50)
    }
    throw new Error(`no mail for ${email}`)
  }
  return { mails, mailTo }
}
