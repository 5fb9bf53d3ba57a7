import { CopyButton } from './button.tsx'
import { splitMiddle } from './format.ts'

/** A long key or id: truncated in the middle, in full on hover, copied in full. */
export function Key({ text, copy = true }: { text: string; copy?: boolean }) {
  const [start, end] = splitMiddle(text)
  return (
    <span class="key">
      <code class="key-text" title={text}>
        <span class="key-start">{start}</span>
        {end && <span class="key-end">{end}</span>}
      </code>
      {copy && <CopyButton text={text} />}
    </span>
  )
}
