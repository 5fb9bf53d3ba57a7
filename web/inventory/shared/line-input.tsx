import type { InputHTMLAttributes } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { beyond } from '#web/components/field.tsx'
import type { FormState } from '#web/components/form-state.ts'
import { maxQuantity } from './amounts.ts'

export type LineForm = Pick<FormState, 'register' | 'errors' | 'errorOf'>

type Attributes = Omit<InputHTMLAttributes<HTMLInputElement>, 'form' | 'name' | 'label' | 'rows' | 'class'>

type LineInputProps = Attributes & {
  form: LineForm
  /** What the API calls it, such as `items[0].quantity`; not given for a line that is not sent. */
  name?: string | undefined
  /** "Quantity", which is also the title of its column. */
  label: string
  /** What the line is called. */
  of: string
  /** What is wrong with it, as far as that is known before it is sent. */
  problem?: string | undefined
  /** Whether the label is shown above it, because no column has it as a title. */
  titled?: boolean
  class?: string
  /** A text of several lines, of which this many are shown. */
  rows?: number
}

/** A control in a line of a form, with what the API says about it. */
export function LineInput({ form, name, label, of, problem, titled, ...attributes }: LineInputProps) {
  const control = useRef<HTMLInputElement>(null)
  const id = useId()
  // Whatever is said of an input here holds for a text of several lines, too.
  const Control = (attributes.rows === undefined ? 'input' : 'textarea') as 'input'
  useEffect(
    () =>
      name === undefined
        ? undefined
        : form.register({ name, label, required: false, focus: () => control.current?.focus() }),
    [form, name, label],
  )
  const error = problem ?? (name && form.errorOf(name))
  const content = (
    <>
      <Control
        class="short"
        autocomplete="off"
        {...attributes}
        id={id}
        ref={control}
        aria-label={`${label} of ${of}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      />
      {error && (
        <span class="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </>
  )
  if (!titled) return content
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {content}
    </div>
  )
}

type QuantityProps = Omit<LineInputProps, 'label' | 'value' | 'max' | 'problem' | 'onChange'> & {
  value: number | null
  max?: number
  onChange: (quantity: number | null) => unknown
}

/** Whatever lands in it, such as a barcode, is refused at once if it is no quantity. */
export function QuantityInput({ value, max = maxQuantity, onChange, ...props }: QuantityProps) {
  return (
    <LineInput
      label="Quantity"
      type="number"
      min={0}
      step={1}
      inputMode="numeric"
      {...props}
      max={max}
      problem={beyond('Quantity', value, max)}
      value={value ?? ''}
      onInput={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? null : currentTarget.valueAsNumber)
      }
    />
  )
}

/** What the API says about a line as a whole. */
export function LineProblem({ form, name }: { form: LineForm; name: string | undefined }) {
  const element = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (name === undefined) return
    const focus = () => element.current?.closest('fieldset')?.querySelector('input')?.focus()
    return form.register({ name, label: '', required: false, focus })
  }, [form, name])
  const message = form.errors.value.find(({ field }) => field === name)?.message
  return (
    <p ref={element} class="field-error" role="alert" hidden={!message}>
      {message}
    </p>
  )
}
