import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type FieldError, randomId, TrivetError } from '#sdk/index.ts'
import { isSame } from './changes.ts'

export type Values = Record<string, unknown>

export type FormState<V extends Values = Values> = {
  values: ReadonlySignal<V>
  set<Name extends keyof V & string>(name: Name, value: V[Name]): void
  errors: Signal<FieldError[]>
  /** What is wrong, but with no field that is shown. */
  failure: Signal<unknown>
  busy: Signal<boolean>
  isDirty: ReadonlySignal<boolean>
  /** What was saved has changed elsewhere: fields that nobody has changed here show it, the others keep what was typed. */
  follow(saved: V): void
  /** Fields tell the form that they are there, and what they need. */
  register(field: Field): () => void
  errorOf(name: string): string | undefined
  /** Work that will change values, such as a scan that is being looked up. The form is sent after it, and not if it fails. */
  include(work: Promise<unknown>): void
  submit(send: Send<V>): Promise<boolean>
}

export type Send<V> = (values: V, attempt: { idempotencyKey: string }) => Promise<unknown>
type Field = { name: string; label: string; required: boolean; focus(): void }

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (typeof value === 'number' && Number.isNaN(value))

/** The API says `name`, `/name` or `body/name`; parts of a field, such as `rules.0.days`, belong to the field. */
const fieldName = (field: string) => field.replace(/^(?:\/?body)?[/.]/, '')
const belongsTo = (field: string, name: string) =>
  field === name ||
  field.startsWith(`${name}.`) ||
  field.startsWith(`${name}/`) ||
  field.startsWith(`${name}[`)

/** The API says "is too short", or "name is too short"; people know the field by its label. */
const inWords = (message: string, name: string, label: string) => {
  const rest = message.startsWith(`${name} `) ? message.slice(name.length + 1) : message
  return /^[a-z]/.test(rest) ? `${label} ${rest}` : rest
}

/** Whether a failed attempt may have had an effect: the next one then repeats it under the same key. */
const isUncertain = (error: unknown) =>
  !(error instanceof TrivetError) || error.status === 0 || error.status >= 500

export const createFormState = <V extends Values>(
  initial: V,
  /** Which field an error without fields is about, by its code: `{ conflict: 'name' }`. */
  fieldOfCode: Record<string, string> = {},
): FormState<V> => {
  const values = signal(initial)
  const errors = signal<FieldError[]>([])
  const failure = signal<unknown>(null)
  const busy = signal(false)
  const fields: Field[] = []
  const included = new Set<Promise<unknown>>()
  const saved = signal(initial)
  // While it is being sent nothing is lost: its own success may close the form or lead to another screen.
  const isDirty = computed(() => !busy.value && !isSame(values.value, saved.value))
  let attempt = { of: '', idempotencyKey: '' }

  const show = (found: FieldError[], rest: unknown) => {
    batch(() => {
      errors.value = found
      failure.value = rest
    })
    const first = fields.find(({ name }) => found.some(({ field }) => belongsTo(field, name)))
    first?.focus()
  }

  const explain = (error: unknown) => {
    if (!(error instanceof TrivetError)) return show([], error)
    const coded = error.code ? fieldOfCode[error.code] : undefined
    const said = coded ? [{ field: coded, message: error.message }] : error.fields
    const known = said.map(({ field, message }) => ({ field: fieldName(field), message }))
    const isShown = ({ field }: FieldError) => fields.some(({ name }) => belongsTo(field, name))
    show(known.filter(isShown), known.length > 0 && known.every(isShown) ? null : error)
  }

  /** Waits for what is included, and says what is missing. */
  const isComplete = async () => {
    while (included.size > 0) await Promise.all(included)
    const missing = fields.filter(({ name, required }) => required && isEmpty(values.value[name]))
    if (missing.length === 0) return true
    show(
      missing.map(({ name, label }) => ({ field: name, message: `${label} is required` })),
      null,
    )
    return false
  }

  return {
    values,
    errors,
    failure,
    busy,
    isDirty,
    set(name, value) {
      batch(() => {
        values.value = { ...values.value, [name]: value }
        if (errors.value.length > 0)
          errors.value = errors.value.filter(({ field }) => !belongsTo(field, name))
      })
    },
    follow(next) {
      const untouched = Object.entries(next).filter(([name]) => isSame(values.value[name], saved.value[name]))
      batch(() => {
        values.value = { ...values.value, ...Object.fromEntries(untouched) }
        saved.value = next
      })
    },
    register(field) {
      fields.push(field)
      return () => void fields.splice(fields.indexOf(field), 1)
    },
    errorOf(name) {
      const found = errors.value.find(({ field }) => belongsTo(field, name))
      const label = fields.find((field) => field.name === name)?.label ?? name
      return found && inWords(found.message, found.field, label)
    },
    include(work) {
      const done = () => void included.delete(work)
      included.add(work)
      work.then(done, done)
    },
    async submit(send) {
      if (busy.value) return false
      busy.value = true
      try {
        if (!(await isComplete())) return false
        const sent = values.value
        const text = JSON.stringify(sent)
        if (attempt.of !== text) attempt = { of: text, idempotencyKey: randomId() }
        show([], null)
        await send(sent, { idempotencyKey: attempt.idempotencyKey })
        attempt = { of: '', idempotencyKey: '' }
        saved.value = sent
        return true
      } catch (error) {
        if (!isUncertain(error)) attempt = { of: '', idempotencyKey: '' }
        explain(error)
        return false
      } finally {
        busy.value = false
      }
    },
  }
}
