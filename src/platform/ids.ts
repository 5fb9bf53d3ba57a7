import { randomFillSync } from 'node:crypto'

const random = new Uint8Array(4096)
let used = random.length
let lastTime = 0
let sequence = 0

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

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
  if (used + 8 > random.length) {
    randomFillSync(random)
    used = 0
  }
  const time = lastTime.toString(16).padStart(12, '0')
  const count = sequence.toString(16).padStart(3, '0')
  const byte = (index: number) => hex[random[used + index] as number] as string
  const variant = hex[((random[used] as number) & 0x3f) | 0x80] as string
  const tail = byte(2) + byte(3) + byte(4) + byte(5) + byte(6) + byte(7)
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${byte(1)}-${tail}`
  used += 8
  return id
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is a UUID in lower case, as all ids are that we create. */
export const isUuid = (text: string) => uuid.test(text)
