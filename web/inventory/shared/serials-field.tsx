import { TextareaField } from '#web/components/fields.tsx'
import type { FormState, Values } from '#web/components/form-state.ts'
import { counted } from '#web/components/format.ts'
import { serialsIn } from './serials.ts'

type Props<V extends Values> = { form: FormState<V>; autofocus?: boolean }

/** Serial numbers, typed or scanned: a hand scanner ends each with Enter, which begins the next line. */
export function SerialsField<V extends Values & { serials: string }>({ form, autofocus = false }: Props<V>) {
  const { length } = serialsIn(form.values.value.serials)
  return (
    <TextareaField
      form={form}
      name="serials"
      label="Serial numbers"
      hint={
        length === 0
          ? 'One in each line. Type them, paste them, or scan one after the other.'
          : counted(length, 'unit')
      }
      rows={6}
      mono
      autofocus={autofocus}
      required
    />
  )
}
