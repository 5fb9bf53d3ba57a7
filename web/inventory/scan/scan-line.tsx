import { useId, useRef, useState } from 'preact/hooks'
import { describeError } from '#web/components/errors.ts'
import type { FormState } from '#web/components/form-state.ts'
import { CameraButton, type OnScan } from './camera.tsx'
import { typeSeparator, useScannerFocus } from './keys.ts'

type Props = {
  form: Pick<FormState, 'include'>
  onScan: OnScan
  placeholder?: string
  autofocus?: boolean
}

/**
 * Where a hand scanner types, with the camera beside it. Scans are taken one after the other, in their order, while the
 * field is ready for the next one. A form that is sent meanwhile waits for them.
 */
export function ScanLine({ form, onScan, placeholder = 'Barcode, SKU or serial number', autofocus }: Props) {
  const [text, setText] = useState('')
  const [said, setSaid] = useState({ text: '', isBad: false })
  const input = useRef<HTMLInputElement>(null)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const latest = useRef(onScan)
  latest.current = onScan
  const id = useId()
  useScannerFocus(input)

  const take = (code: string) => {
    const taken = last.current.then(() => latest.current(code))
    form.include(taken)
    last.current = taken.then(
      (done) => setSaid({ text: done ?? '', isBad: false }),
      (error) => setSaid({ text: describeError(error).message, isBad: true }),
    )
    return taken
  }
  return (
    <div class="field">
      <label for={id}>Scan</label>
      <div class="scan-box">
        <input
          id={id}
          ref={input}
          type="text"
          autocomplete="off"
          spellcheck={false}
          data-autofocus={autofocus || undefined}
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (typeSeparator(event) || event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            setText('')
            if (text.trim()) void take(text.trim()).catch(() => {})
          }}
        />
        <CameraButton onScan={take} />
      </div>
      <p class={said.isBad ? 'field-error' : 'field-hint'} role="status">
        {said.text}
      </p>
    </div>
  )
}
