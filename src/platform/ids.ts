import { randomUUID } from 'node:crypto'

// Of the process, since ids of one process sort by creation: Node's own randomUUIDv7 does not count within a millisecond.
let lastTime = 0
let sequence = 0

/**
 * A UUIDv7 that sorts by creation, even within one millisecond of this process. `crypto.randomUUIDv7` does not promise
 * that order, which is why it is not used here.
 */
export const uuidv7 = (now = Date.now()): string => {
  if (now > lastTime) {
    lastTime = now
    sequence = 0
  } else if (++sequence > 0xfff) {
    lastTime++
    sequence = 0
  }
  const time = lastTime.toString(16).padStart(12, '0')
  const count = sequence.toString(16).padStart(3, '0')
  const variantAndRandom = randomUUID().slice(19)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variantAndRandom}`
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Sorts before all other ids. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/** Whether a text is a UUID in lower case, as all ids are that we create. */
export const isUuid = (text: string) => uuid.test(text)
