import { useEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '#web/components/errors.ts'
import type { Count, Product } from '../api.ts'
import type { Unit } from '../scan/find-scanned.ts'
import { ProductPicker } from '../shared/pickers.tsx'
import { type Entry, type Target, useEnter } from './enter.ts'
import { EntryForm } from './entry-form.tsx'

/** One unit, if what was scanned says enough to count it. */
const oneOf = ({ id, tracking_type }: Product, { batch, serial }: Unit): Entry | null => {
  if (tracking_type === 'serial') return serial ? { product_id: id, serials: [serial], mode: 'add' } : null
  if (tracking_type === 'none') return { product_id: id, quantity: 1, mode: 'add' }
  return batch ? { product_id: id, batch_number: batch, quantity: 1, mode: 'add' } : null
}

type Props = { count: Count; target: Target | null; onTarget: (target: Target | null) => void }

/** Each scan counts one more. For what is typed, and for batches and serials that the code does not name, a form asks. */
export function CountEntry({ count, target, onTarget }: Props) {
  const enter = useEnter(count)
  const [said, setSaid] = useState({ text: '', isBad: false })
  const field = useRef<HTMLInputElement | null>(null)
  const toProduct = () => field.current?.focus()
  useEffect(() => {
    if (target) setSaid({ text: '', isBad: false })
  }, [target])

  const take = async (product: Product, how: Unit & { isExact: boolean }) => {
    const entry = how.isExact ? oneOf(product, how) : null
    if (!entry) {
      onTarget({ product, mode: 'add', ...(how.batch ? { batch_number: how.batch } : {}) })
      return undefined
    }
    onTarget(null)
    toProduct()
    try {
      const text = await enter(entry)
      setSaid({ text, isBad: false })
      return text
    } catch (error) {
      setSaid({ text: describeError(error).message, isBad: true })
      throw error
    }
  }
  const done = (text?: string) => {
    onTarget(null)
    if (text !== undefined) setSaid({ text, isBad: false })
    toProduct()
  }
  return (
    <section class="card count-entry" aria-label="Enter">
      <ProductPicker
        autofocus
        isCounting
        hint="Each scan counts one more. Or type a name, and then the quantity."
        inputRef={(input) => {
          field.current = input
        }}
        onPick={take}
      />
      {target && (
        <EntryForm
          key={`${target.product.id} ${target.batch_number} ${target.mode}`}
          target={target}
          onSend={enter}
          onDone={done}
        />
      )}
      <p class={said.isBad ? 'count-said field-error' : 'count-said'} role="status">
        {said.text}
      </p>
    </section>
  )
}
