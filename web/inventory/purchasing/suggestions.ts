import { count } from '#web/components/format.ts'
import type { Schemas } from '../api.ts'

export type Suggestion = Schemas['ReorderSuggestion']

/** What somebody entered instead of what is suggested. */
export type Edit = { quantity?: number | null; supplier_id?: number }
export type Edits = Record<string, Edit>

export const keyOf = ({ product_id, warehouse_id }: Suggestion) => `${product_id}-${warehouse_id}`

const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** Why it is time to order. */
export const whyNow = (s: Suggestion) => {
  const have = `${count(s.available)} available`
  return s.reorder_level >= s.lead_time_demand
    ? `${have}, reorder level ${count(s.reorder_level)}`
    : `${have}, ${count(s.lead_time_demand)} needed until a delivery`
}

/** The numbers behind it: what there is, what is to come, and how fast it goes. */
export const numbersOf = (s: Suggestion) =>
  [
    `${count(s.on_hand)} on hand`,
    s.reserved > 0 && `${count(s.reserved)} reserved`,
    s.backordered > 0 && `${count(s.backordered)} backordered`,
    s.on_order > 0 && `${count(s.on_order)} on the way`,
    s.recent_demand > 0 && `sells ${tenths.format((s.recent_demand * 7) / 30)} a week`,
    `lead time ${count(s.lead_time_days)} ${s.lead_time_days === 1 ? 'day' : 'days'}`,
  ]
    .filter(Boolean)
    .join(', ')

/** What is sent for a suggestion: nothing but who and how much, as it stands on the screen. */
export const choiceOf = (s: Suggestion, { quantity = s.suggested_quantity, supplier_id }: Edit = {}) => ({
  product_id: s.product_id,
  warehouse_id: s.warehouse_id,
  quantity: quantity ?? 0,
  ...(supplier_id === undefined ? {} : { supplier_id }),
})
export type Choice = ReturnType<typeof choiceOf>

/** Whether a purchase order can be made of it: a quantity of nothing leaves it out. */
export const isOrderable = (s: Suggestion, edit: Edit = {}) =>
  (s.supplier_id ?? edit.supplier_id) !== undefined &&
  (s.supplier_id ?? edit.supplier_id) !== null &&
  edit.quantity !== 0 &&
  edit.quantity !== null
