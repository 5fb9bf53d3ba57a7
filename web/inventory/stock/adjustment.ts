/** What somebody wants to do with a quantity, in the words of the form. */
export type Change = 'add' | 'remove' | 'set'

export const changes = [
  { value: 'add', label: 'Add' },
  { value: 'remove', label: 'Remove' },
  { value: 'set', label: 'Set to' },
]

export const reasons = ['Received', 'Damaged', 'Lost', 'Found', 'Correction', 'Other']

/** The signed quantity of the movement; null while there is none, or nothing would change. */
export const differenceOf = (change: Change, quantity: number | null, onHand: number) => {
  if (quantity === null || !Number.isInteger(quantity) || quantity < 0) return null
  const difference = change === 'add' ? quantity : change === 'remove' ? -quantity : quantity - onHand
  return difference === 0 ? null : difference
}

/** The API keeps one text for a movement. */
export const notesOf = (reason: string, notes: string) => [reason, notes.trim()].filter(Boolean).join(': ')

/** The refusals that are about the quantity of a form. */
export const quantityRefusals = {
  not_enough_in_warehouse: 'quantity',
  batch_has_fewer: 'quantity',
  units_missing: 'quantity',
}
