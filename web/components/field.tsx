import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { FormState, Values } from './form-state.ts'
import { count } from './format.ts'

export type FieldProps<V extends Values> = {
  form: FormState<V>
  name: keyof V & string
  label: string
  hint?: ComponentChildren
  required?: boolean
  autocomplete?: string
  disabled?: boolean
  autofocus?: boolean
}

/** What is wrong with a number that is larger than it may be, before it is sent. */
export const beyond = (label: string, value: unknown, max: unknown) =>
  typeof value === 'number' && typeof max === 'number' && value > max
    ? `${label} must be at most ${count(max)}`
    : undefined

/** What every control of a form has in common: its ids, its error, and its place in the form. */
export const useField = <V extends Values, Control extends HTMLElement>(
  props: FieldProps<V> & { max?: number | string | undefined },
) => {
  const { form, name, label, hint, required = false, disabled, autofocus, max } = props
  const id = useId()
  const control: RefObject<Control> = useRef<Control>(null)
  useEffect(
    () => form.register({ name, label, required, focus: () => control.current?.focus() }),
    [form, name, label, required],
  )
  const error = form.errorOf(name) ?? beyond(label, form.values.value[name], max)
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return {
    id,
    error,
    control,
    value: form.values.value[name],
    set: (value: unknown) => form.set(name, value as V[typeof name]),
    attributes: {
      id,
      name,
      ref: control,
      required,
      disabled,
      'data-autofocus': autofocus || undefined,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': described || undefined,
    } as const,
  }
}

type FrameProps = {
  id: string
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  children: ComponentChildren
}

/** Label, control, hint and error, one below the other. */
export function FieldFrame({ id, label, hint, error, children }: FrameProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

export function FieldNotes({ id, hint, error }: Pick<FrameProps, 'id' | 'hint' | 'error'>) {
  return (
    <>
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  )
}
