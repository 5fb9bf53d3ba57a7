import { Plus } from 'lucide-preact'
import { Button } from '#web/components/button.tsx'
import { count } from '#web/components/format.ts'
import type { PurchaseOrderItem } from '../api.ts'
import { type LineForm, LineInput, LineProblem, QuantityInput } from '../shared/line-input.tsx'
import {
  type Arrival,
  addArrival,
  change,
  type Delivery,
  outstanding,
  placeOf,
  withSerials,
} from './delivery.ts'

type LineProps = {
  item: PurchaseOrderItem
  delivery: Delivery
  form: LineForm
  onChange: (delivery: Delivery) => unknown
}

/** What arrives of a line of a purchase order, with its batches or serial numbers. */
export function ReceiveLine({ item, delivery, form, onChange }: LineProps) {
  const arrivals = delivery.filter(({ item_id }) => item_id === item.id)
  return (
    <fieldset class="ship-line">
      <legend>
        {item.product_name} <code class="quiet">{item.sku}</code>
      </legend>
      <p class="quiet">
        {count(outstanding(item))} of {count(item.quantity)} outstanding
      </p>
      {arrivals.map((arrival, n) => (
        <ArrivalFields
          key={arrival.key}
          item={item}
          arrival={arrival}
          of={n === 0 ? item.product_name : `${item.product_name}, batch ${n + 1}`}
          form={form}
          place={placeOf(delivery, arrival)}
          onChange={(more) => onChange(change(delivery, arrival.key, more))}
        />
      ))}
      {item.tracking_type === 'batch' && (
        <div>
          <Button
            icon={Plus}
            label={`Add batch of ${item.product_name}`}
            onClick={() => onChange(addArrival(delivery, item.id))}
          >
            Add batch
          </Button>
        </div>
      )}
    </fieldset>
  )
}

type FieldsProps = {
  item: PurchaseOrderItem
  arrival: Arrival
  of: string
  form: LineForm
  place: string | undefined
  onChange: (more: Partial<Arrival>) => unknown
}

const ArrivalFields = ({ item, arrival, of, form, place, onChange }: FieldsProps) => {
  const name = (field: string) => place && `${place}.${field}`
  return (
    <>
      <div class="ship-fields">
        <QuantityInput
          form={form}
          name={name('quantity_received')}
          of={of}
          titled
          value={arrival.quantity}
          onChange={(quantity) => onChange({ quantity })}
        />
        {item.tracking_type === 'batch' && (
          <>
            <LineInput
              form={form}
              name={name('batch_number')}
              label="Batch number"
              of={of}
              titled
              class=""
              type="text"
              value={arrival.batch_number}
              onInput={({ currentTarget: { value } }) => onChange({ batch_number: value })}
            />
            <LineInput
              form={form}
              name={name('expiry_date')}
              label="Expiry date"
              of={of}
              titled
              class=""
              type="date"
              value={arrival.expiry_date}
              onInput={({ currentTarget: { value } }) => onChange({ expiry_date: value })}
            />
          </>
        )}
        {item.tracking_type === 'serial' && (
          <LineInput
            form={form}
            name={name('serials')}
            label="Serial numbers"
            of={of}
            titled
            class="mono"
            rows={3}
            spellcheck={false}
            placeholder="One in each line"
            value={arrival.serials}
            onInput={({ currentTarget: { value } }) => onChange(withSerials(value))}
          />
        )}
      </div>
      <LineProblem form={form} name={place} />
    </>
  )
}
