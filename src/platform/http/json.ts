type Frame = { value: Record<string | number, unknown>; keys: string[] | null; length: number; at: number }

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

const frameOf = (value: object): Frame => {
  const keys = Array.isArray(value) ? null : Object.keys(value)
  const length = keys ? keys.length : (value as unknown[]).length
  return { value: value as Frame['value'], keys, length, at: -1 }
}

const keyOf = ({ keys, at }: Frame) => (keys ? keys[at]! : at)

/**
 * Whether any value in parsed JSON is what is looked for; the search ends at the first. `key` is null for items of
 * arrays. It needs no call stack, so depth does not matter, and holds only the containers it is in.
 */
export const someValue = (
  root: unknown,
  isWanted: (value: unknown, key: string | null, path: () => string[]) => boolean,
): boolean => {
  const frames: Frame[] = []
  const path = () => frames.map((frame) => String(keyOf(frame)))
  if (isWanted(root, null, path)) return true
  if (isContainer(root)) frames.push(frameOf(root))
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (++frame.at === frame.length) {
      frames.pop()
      continue
    }
    const key = keyOf(frame)
    const value = frame.value[key]
    if (isWanted(value, frame.keys && (key as string), path)) return true
    if (isContainer(value)) frames.push(frameOf(value))
  }
  return false
}

const pieceLength = 64 * 1024

/** Writes JSON with the names of every object in order, in pieces: equal values give equal text, however deep. */
export const writeCanonical = (root: unknown, write: (piece: string) => void) => {
  const frames: Frame[] = []
  let text = ''
  const begin = (value: unknown) => {
    if (!isContainer(value)) {
      text += JSON.stringify(value) ?? 'null'
      return
    }
    const frame = frameOf(value)
    frame.keys?.sort()
    text += frame.keys ? '{' : '['
    frames.push(frame)
  }
  begin(root)
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (++frame.at === frame.length) {
      text += frame.keys ? '}' : ']'
      frames.pop()
      continue
    }
    if (frame.at > 0) text += ','
    if (frame.keys) text += `${JSON.stringify(keyOf(frame))}:`
    begin(frame.value[keyOf(frame)])
    if (text.length < pieceLength) continue
    write(text)
    text = ''
  }
  write(text)
}
