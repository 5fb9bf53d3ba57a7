import { useId, useState } from 'preact/hooks'

/** What came of a scan: a word of help, or that the code belongs to nothing here. */
export type Scanned = { problem?: string; note?: string }

/** Where a hand scanner types: fast, and ended by Enter. */
export function ScanField({ onScan }: { onScan: (code: string) => Scanned | Promise<Scanned> }) {
  const [text, setText] = useState('')
  const [said, setSaid] = useState<Scanned>({})
  const id = useId()
  const scan = async () => {
    const code = text.trim()
    if (!code) return
    setText('')
    try {
      setSaid(await onScan(code))
    } catch (error) {
      setSaid({ problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <div class="field">
      <label for={id}>Scan</label>
      <input
        id={id}
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
      <p class={said.problem ? 'field-error' : 'field-hint'} role="status">
        {said.problem ?? said.note ?? ''}
      </p>
    </div>
  )
}
