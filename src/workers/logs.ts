import type { Readable } from 'node:stream'
import { type Logger, pino } from 'pino'

/**
 * Copies the log lines of a worker into the log of this process, each as a whole: if workers wrote to the same pipe, the
 * lines of two could be mixed. A line that a killed worker did not finish is dropped.
 */
export const relayLines = (from: Readable, log: Logger) => {
  const { [pino.symbols.streamSym]: output } = log as unknown as Record<symbol, { write(line: string): void }>
  let rest = ''
  from.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() as string
    for (const line of lines) output?.write(`${line}\n`)
  })
}
