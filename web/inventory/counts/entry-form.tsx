import { useEffect, useRef } from 'preact/hooks'
import { NumberField, SelectField, TextareaField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { maxQuantity } from '../shared/amounts.ts'
import { serialsIn } from '../shared/serials.ts'
import type { Entry, Target } from './enter.ts'

const modes = [
  { value: 'add', label: 'Add to what was counted' },
  { value: 'replace', label: 'Replace what was counted' },
]

type Props = {
  target: Target
  onSend: (entry: Entry, idempotencyKey: string) => Promise<string>
  onDone: (said?: string) => void
}

/** A number, a batch or serials of one product. */
export function EntryForm({ target, onSend, onDone }: Props) {
  const { product, batch_number = '', mode } = target
  const frame = useRef<HTMLDivElement>(null)
  const isSerial = product.tracking_type === 'serial'
  const isBatch = product.tracking_type === 'batch'
  useEffect(() => {
    const wanted = isSerial
      ? 'textarea'
      : isBatch && !batch_number
        ? '[name=batch_number]'
        : '[name=quantity]'
    frame.current?.querySelector<HTMLElement>(wanted)?.focus()
  }, [])
  return (
    <div ref={frame}>
      <p class="count-target">
        <strong>{product.name}</strong> <code class="quiet">{product.sku}</code>
      </p>
      <Form
        initial={{ mode, batch_number, quantity: null as number | null, serials: '' }}
        submit="Enter count"
        onCancel={() => onDone()}
        onSubmit={async (values, { idempotencyKey }) => {
          const said = await onSend(
            {
              product_id: product.id,
              mode: values.mode,
              ...(isSerial ? { serials: serialsIn(values.serials) } : { quantity: values.quantity }),
              ...(isBatch ? { batch_number: values.batch_number.trim() || null } : {}),
            },
            idempotencyKey,
          )
          onDone(said)
        }}
      >
        {(form) => (
          <div class="field-pair">
            {isBatch && (
              <TextField
                form={form}
                name="batch_number"
                label="Batch number"
                hint="Empty for units that are in no batch."
                mono
              />
            )}
            {isSerial ? (
              <TextareaField
                form={form}
                name="serials"
                label="Serial numbers"
                placeholder="One below the other"
                rows={4}
                mono
              />
            ) : (
              <NumberField form={form} name="quantity" label="Quantity" min={0} max={maxQuantity} required />
            )}
            <SelectField form={form} name="mode" label="Entry" options={modes} />
          </div>
        )}
      </Form>
    </div>
  )
}
