import { useState } from 'preact/hooks'
import { FieldFrame, type FieldProps, useField } from './field.tsx'
import type { Values } from './form-state.ts'
import { fromBytes, sizeUnits, toBytes } from './sizes.ts'

/** A number and a unit; its value is bytes, or null while nothing is entered. */
export function SizeField<V extends Values>(props: FieldProps<V> & { placeholder?: string }) {
  const { attributes, id, value, set, error } = useField<V, HTMLInputElement>(props)
  const [typed, setTyped] = useState(() => fromBytes(typeof value === 'number' ? value : null))
  const change = (next: typeof typed) => {
    setTyped(next)
    set(toBytes(next))
  }
  return (
    <FieldFrame id={id} label={props.label} hint={props.hint} error={error}>
      <div class="joined">
        <input
          {...attributes}
          type="number"
          inputMode="decimal"
          min="0"
          step="any"
          autocomplete="off"
          placeholder={props.placeholder}
          value={typed.amount}
          onInput={(event) => change({ ...typed, amount: event.currentTarget.value })}
        />
        <select
          aria-label="Unit"
          disabled={props.disabled}
          value={typed.unit}
          onChange={(event) => change({ ...typed, unit: event.currentTarget.value })}
        >
          {sizeUnits.map((unit) => (
            <option key={unit}>{unit}</option>
          ))}
        </select>
      </div>
    </FieldFrame>
  )
}
