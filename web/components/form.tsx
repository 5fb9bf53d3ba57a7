import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { Button } from './button.tsx'
import { describeError } from './errors.ts'
import { createFormState, type FormState, type Send, type Values } from './form-state.ts'
import { Reference } from './states.tsx'
import { watchUnsaved } from './unsaved.ts'

type FormProps<V extends Values> = {
  /** What the fields show at first. When it changes, the fields that nobody has touched follow; what is typed stays. */
  initial: V
  /** Verb and noun: "Create bucket". */
  submit: string
  onSubmit: Send<V>
  onCancel?: () => unknown
  danger?: boolean
  /** Which field an error is about that names none, by its code: `{ conflict: 'name' }`. */
  fieldOfCode?: Record<string, string>
  /** For forms whose loss is no harm, such as a filter. */
  careless?: boolean
  /** For a form that always can be sent, or that belongs to a line. */
  layout?: 'stack' | 'line'
  /** Shown after the buttons. */
  after?: ComponentChildren
  children: (form: FormState<V>) => ComponentChildren
}

/** A problem that belongs to no field. */
export function Problem({ error }: { error: unknown }) {
  if (!error) return null
  const { message, isFault } = describeError(error)
  return (
    <div class="problem" role="alert">
      <p>{message}</p>
      {isFault && <Reference error={error} />}
    </div>
  )
}

/**
 * Keeps what was typed, shows what the API says is wrong at the field, cannot be sent twice, and warns before unsaved
 * changes are left.
 */
export function Form<V extends Values>(props: FormProps<V>) {
  const { submit, onSubmit, onCancel, danger, careless, after, layout = 'stack', children } = props
  const form = useMemo(() => createFormState(props.initial, props.fieldOfCode), [])
  useEffect(() => form.follow(props.initial), [JSON.stringify(props.initial)])
  useEffect(() => (careless ? undefined : watchUnsaved(() => form.isDirty.value)), [form])

  const send = async (event: Event) => {
    event.preventDefault()
    await form.submit(onSubmit)
  }

  return (
    <form class={`form ${layout}`} noValidate onSubmit={send}>
      {children(form)}
      <Problem error={form.failure.value} />
      <div class="form-actions">
        <Button type="submit" kind={danger ? 'danger' : 'primary'} busy={form.busy.value}>
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        {after}
      </div>
    </form>
  )
}
