import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { FieldFrame, FieldNotes, type FieldProps, useField } from './field.tsx'
import type { Values } from './form-state.ts'

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))

type TextProps<V extends Values> = FieldProps<V> & {
  type?: 'text' | 'email' | 'url' | 'tel'
  placeholder?: string
  /** For keys, ids and code. */
  mono?: boolean
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'url'
  maxLength?: number
  /** What one may want to enter; anything else can be entered, too. */
  suggestions?: string[]
}

export function TextField<V extends Values>(props: TextProps<V>) {
  const { attributes, id, value, set, error } = useField<V, HTMLInputElement>(props)
  const {
    label,
    hint,
    type = 'text',
    placeholder,
    mono,
    inputMode,
    maxLength,
    autocomplete = 'off',
    suggestions,
  } = props
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <input
        {...attributes}
        class={mono ? 'mono' : undefined}
        type={type}
        placeholder={placeholder}
        inputMode={inputMode}
        maxLength={maxLength}
        autocomplete={autocomplete}
        autocapitalize={mono || type !== 'text' ? 'none' : undefined}
        spellcheck={mono ? false : undefined}
        list={suggestions && `${id}-suggestions`}
        value={text(value)}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {suggestions && (
        <datalist id={`${id}-suggestions`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </FieldFrame>
  )
}

export function PasswordField<V extends Values>(props: FieldProps<V>) {
  const { attributes, id, value, set, error } = useField<V, HTMLInputElement>(props)
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame id={id} label={props.label} hint={props.hint} error={error}>
      <div class="joined">
        <input
          {...attributes}
          type={shown ? 'text' : 'password'}
          autocomplete={props.autocomplete ?? 'current-password'}
          autocapitalize="none"
          spellcheck={false}
          value={text(value)}
          onInput={(event) => set(event.currentTarget.value)}
        />
        <button type="button" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
        </button>
      </div>
    </FieldFrame>
  )
}

type NumberProps<V extends Values> = FieldProps<V> & {
  min?: number
  max?: number
  step?: number | 'any'
  placeholder?: string
  /** Shown behind the number: "days". */
  unit?: string
}

/** Its value is a number, or null while nothing is entered. */
export function NumberField<V extends Values>(props: NumberProps<V>) {
  const { attributes, id, value, set, error } = useField<V, HTMLInputElement>(props)
  const { min, max, step, placeholder, unit } = props
  return (
    <FieldFrame id={id} label={props.label} hint={props.hint} error={error}>
      <div class="with-unit">
        <input
          {...attributes}
          type="number"
          inputMode={step === 'any' ? 'decimal' : 'numeric'}
          min={min}
          max={max}
          step={step}
          placeholder={placeholder}
          autocomplete="off"
          value={text(value)}
          onInput={({ currentTarget }) =>
            set(currentTarget.value === '' ? null : currentTarget.valueAsNumber)
          }
        />
        {unit && <span class="quiet">{unit}</span>}
      </div>
    </FieldFrame>
  )
}

type Option = { value: string; label: string; disabled?: boolean }

export function SelectField<V extends Values>(props: FieldProps<V> & { options: Option[] }) {
  const { attributes, id, value, set, error } = useField<V, HTMLSelectElement>(props)
  return (
    <FieldFrame id={id} label={props.label} hint={props.hint} error={error}>
      <select {...attributes} value={text(value)} onChange={(event) => set(event.currentTarget.value)}>
        {props.options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

export function CheckField<V extends Values>(props: FieldProps<V>) {
  const { attributes, id, value, set, error } = useField<V, HTMLInputElement>(props)
  return (
    <div class="field">
      <div class="check">
        <input
          {...attributes}
          type="checkbox"
          checked={value === true}
          onChange={(event) => set(event.currentTarget.checked)}
        />
        <label for={id}>{props.label}</label>
      </div>
      <FieldNotes id={id} hint={props.hint} error={error} />
    </div>
  )
}

type Choice = { value: string; label: string; hint?: ComponentChildren }

export function RadioField<V extends Values>(props: FieldProps<V> & { options: Choice[] }) {
  const { attributes, id, value, set, error } = useField<V, HTMLInputElement>(props)
  const { id: _, ref, ...shared } = attributes
  return (
    <fieldset class="field radios">
      <legend>{props.label}</legend>
      {props.options.map((option, n) => (
        <div key={option.value} class="check">
          <input
            {...shared}
            ref={n === 0 ? ref : undefined}
            id={`${id}-${n}`}
            type="radio"
            value={option.value}
            checked={value === option.value}
            onChange={() => set(option.value)}
          />
          <label for={`${id}-${n}`}>{option.label}</label>
          {option.hint && <p class="field-hint">{option.hint}</p>}
        </div>
      ))}
      <FieldNotes id={id} hint={props.hint} error={error} />
    </fieldset>
  )
}

type AreaProps<V extends Values> = FieldProps<V> & { rows?: number; mono?: boolean; placeholder?: string }

export function TextareaField<V extends Values>(props: AreaProps<V>) {
  const { attributes, id, value, set, error } = useField<V, HTMLTextAreaElement>(props)
  return (
    <FieldFrame id={id} label={props.label} hint={props.hint} error={error}>
      <textarea
        {...attributes}
        class={props.mono ? 'mono' : undefined}
        rows={props.rows ?? 4}
        placeholder={props.placeholder}
        spellcheck={props.mono ? false : undefined}
        value={text(value)}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </FieldFrame>
  )
}

/** Its value is `2026-11-16`, or empty. */
export function DateField<V extends Values>(props: FieldProps<V> & { min?: string; max?: string }) {
  const { attributes, id, value, set, error } = useField<V, HTMLInputElement>(props)
  return (
    <FieldFrame id={id} label={props.label} hint={props.hint} error={error}>
      <input
        {...attributes}
        type="date"
        min={props.min}
        max={props.max}
        value={text(value)}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </FieldFrame>
  )
}
