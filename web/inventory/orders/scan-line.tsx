import { useState } from 'preact/hooks'

/** Where a hand scanner types. Each scan adds one unit to the line that it belongs to. */
export function ScanLine({ onScan }: { onScan: (text: string) => Promise<boolean> }) {
  const [text, setText] = useState('')
  const [said, setSaid] = useState('')
  const scan = async () => {
    const code = text.trim()
    if (!code) return
    setText('')
    const isFound = await onScan(code).catch(() => false)
    setSaid(isFound ? '' : `Nothing to ship for “${code}”`)
  }
  return (
    <label class="field">
      <span>Scan</span>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        data-autofocus="true"
        placeholder="Barcode, SKU or serial number"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          void scan()
        }}
      />
      <span class="field-error" role="status">
        {said}
      </span>
    </label>
  )
}
