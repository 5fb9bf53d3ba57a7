import type { AddressInfo } from 'node:net'
import { Command } from '@commander-js/extra-typings'
import { isGenuine, type Received, startReceiver } from '#events/webhooks/receiver.ts'
import type { Output } from '#platform/cli.ts'
import { printable } from '#platform/printable.ts'

/** One line for each event: when, what, about what. */
const describe = (body: string) => {
  try {
    const { created_at, type, subject } = JSON.parse(body)
    return printable(`${created_at} ${type} ${subject}`)
  } catch {
    return 'a message that is not JSON'
  }
}

export const receiveCommand = (stdout: Output) =>
  new Command('receive')
    .description('Receive webhooks on this machine and print them, until Ctrl+C')
    .option('--port <number>', 'Port to listen on', Number)
    .option('--secret <secret>', 'Secret of the webhook: messages that it did not sign are refused')
    .option('--json', 'Print each event as it came')
    .action(async ({ port, secret, json }) => {
      const accept = ({ headers, body }: Received) => {
        if (secret !== undefined && !isGenuine(secret, headers, body, new Date())) {
          stdout.write('Refused a message with a wrong signature\n')
          return 401
        }
        stdout.write(`${json ? body : describe(body)}\n`)
        return 204
      }
      const server = await startReceiver(accept, port)
      const { port: own } = server.address() as AddressInfo
      stdout.write(`Receiving webhooks at http://localhost:${own}/\n`)
      const stopped = Promise.withResolvers<void>()
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.once(signal, () => stopped.resolve())
      await stopped.promise
      server.closeAllConnections()
      server.close()
    })
