import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { debianProgram } from '#test/support/debian.ts'

const program = 'chromium-headless-shell'

type Reply = {
  id?: number
  error?: { message: string }
  result?: {
    targetId?: string
    sessionId?: string
    result?: { value?: unknown }
    exceptionDetails?: { exception?: { description?: string } }
  }
}

/** The address at which a browser takes commands, which it prints when it has started. */
const addressOf = (stderr: NodeJS.ReadableStream) =>
  new Promise<string>((resolve) => {
    createInterface({ input: stderr }).on('line', (line) => {
      const [, address] = /^DevTools listening on (\S+)/.exec(line) ?? []
      if (address) resolve(address)
    })
  })

/** Sends commands of the DevTools protocol. */
const connect = async (address: string) => {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<NonNullable<Reply['result']>>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, error, result = {} } = JSON.parse(String(data)) as Reply
    const answer = id === undefined ? undefined : waiting.get(id)
    if (error) answer?.reject(new Error(error.message))
    else answer?.resolve(result)
  })
  let last = 0
  return (method: string, params: object = {}, sessionId?: string) => {
    const answer = Promise.withResolvers<NonNullable<Reply['result']>>()
    waiting.set(++last, answer)
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    return answer.promise
  }
}

/**
 * A page that nobody watches. Playwright has a browser tell it about every request, on which a page then spends twice the
 * time; here it is only told where to go and what to run.
 */
export const openUnwatched = async () => {
  const profile = await mkdtemp(join(tmpdir(), 'trivet-bench-browser-'))
  const browser = spawn(
    await debianProgram(program, program),
    [
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-port=0',
      '--window-size=1440,900',
      `--user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(browser, 'exit')
  const send = await connect(await addressOf(browser.stderr))
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })

  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await send(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      sessionId,
    )
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'the page threw')
    return result?.value
  }
  return {
    evaluate,
    goto: (url: string) => send('Page.navigate', { url }, sessionId),
    /** Asks rarely, so that asking costs the page nothing. */
    async until(condition: string) {
      while (!(await evaluate(`Boolean(${condition})`).catch(() => false))) await sleep(100)
    },
    async close() {
      // What was started is a script around the browser: a signal would end the script alone.
      await send('Browser.close')
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
export type Unwatched = Awaited<ReturnType<typeof openUnwatched>>
