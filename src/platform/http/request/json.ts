type Frame = { value: Record<string | number, unknown>; keys: string[] | null; length: number; at: number }

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

const frameOf = (value: object): Frame => {
  const keys = Array.isArray(value) ? null : Object.keys(value)
  const length = keys ? keys.length : (value as unknown[]).length
  return { value: value as Frame['value'], keys, length, at: -1 }
}

const keyOf = ({ keys, at }: Frame) => (keys ? keys[at]! : at)

/**
 * Whether `isWanted` holds for any value in parsed JSON; stops at the first. `key` is null for items of arrays. It is not
 * recursive, so that deep nesting does not overflow the stack.
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

const chunkLength = 64 * 1024

/** Writes JSON with sorted names, in chunks: equal values have equal text. It is not recursive either. */
export const writeCanonical = (root: unknown, write: (chunk: string) => void) => {
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
    if (text.length < chunkLength) continue
    write(text)
    text = ''
  }
  write(text)
}
