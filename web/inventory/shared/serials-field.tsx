import { TextareaField } from '#web/components/fields.tsx'
import type { FormState, Values } from '#web/components/form-state.ts'
import { counted } from '#web/components/format.ts'
import { CameraButton } from '../scan/camera.tsx'
import { anySymbology } from '../scan/gs1.ts'
import { serialsIn, withSerial } from './serials.ts'

type Props<V extends Values> = { form: FormState<V>; autofocus?: boolean }

/** Serial numbers, typed or scanned: a hand scanner ends each with Enter, which begins the next line. */
export function SerialsField<V extends Values & { serials: string }>({ form, autofocus = false }: Props<V>) {
  const { length } = serialsIn(form.values.value.serials)
  const add = async (code: string) => {
    const serials = withSerial(form.values.value.serials, code.trim().replace(anySymbology, ''))
    form.set('serials', serials as V['serials'])
    return counted(serialsIn(serials).length, 'unit')
  }
  return (
    <div class="serials-field">
      <CameraButton onScan={add} />
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
    </div>
  )
}
