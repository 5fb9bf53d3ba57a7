import { EventEmitter } from 'node:events'
import { openChannel, type Port } from '#platform/workers/channel.ts'

/** Two ends of a connection, which counts the messages that pass. */
export const connected = () => {
  const [one, other] = [new EventEmitter(), new EventEmitter()]
  const sent = { count: 0, isBroken: false }
  const port = (to: EventEmitter, from: EventEmitter): Port => ({
    send(message, callback) {
      sent.count++
      if (sent.isBroken) return callback(new Error('closed'))
      const text = JSON.stringify(message)
      setImmediate(() => to.emit('message', JSON.parse(text)))
    },
    on: (event, listener) => from.on(event, listener),
  })
  return { ends: [openChannel(port(other, one)), openChannel(port(one, other))] as const, sent }
}
