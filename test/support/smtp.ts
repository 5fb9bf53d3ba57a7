import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { until } from './eventually.ts'

type Received = { from: string; to: string[]; content: string }

/** A mail server that keeps what it receives. `refuse` decides which recipients it does not know. */
export const startSmtp = async (refuse: (to: string) => boolean = () => false) => {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _, done) {
      done(refuse(address) ? new Error('No such mailbox') : null)
    },
    async onData(stream, session, done) {
      const chunks = await stream.toArray()
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map(({ address }) => address)
      const content = Buffer.concat(chunks).toString()
      received.push({ from: mailFrom ? mailFrom.address : '', to, content })
      done()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const to = (email: string) =>
    received
      .filter((mail) => mail.to.includes(email))
      .map(({ content }) => content.replaceAll('=\r\n', '').replaceAll('=3D', '='))
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    to,
    /** The mails to an address, once there are at least `count`. */
    async mailsTo(email: string, count = 1) {
      await until(`${count} mails to ${email}`, () => to(email).length >= count)
      return to(email)
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
