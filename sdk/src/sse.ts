export type Message = { id: string | null; data: string; retry: number | null }

const most = 4 * 1024 * 1024

/** The messages of a stream of Server-Sent Events. It ends with the connection. */
export async function* readStream(response: Response): AsyncGenerator<Message, void> {
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      rest += value
      const blocks = rest.split(/\r?\n\r?\n/)
      rest = blocks.pop() as string
      if (rest.length > most) throw new Error('The server sent an event without end')
      for (const block of blocks) {
        const message = messageOf(block)
        if (message) yield message
      }
    }
  } finally {
    // Whoever stops reading ends the connection, too.
    await reader.cancel().catch(() => {})
  }
}

/** A block that consists of comments only is no message. */
const messageOf = (block: string): Message | null => {
  const message: Message = { id: null, data: '', retry: null }
  let isEmpty = true
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([a-z]+)(?:: ?(.*))?$/.exec(line) ?? []
    if (name === 'id') message.id = value
    else if (name === 'data') message.data += message.data ? `\n${value}` : value
    else if (name === 'retry' && /^\d+$/.test(value)) message.retry = Number(value)
    else continue
    isEmpty = false
  }
  return isEmpty ? null : message
}
