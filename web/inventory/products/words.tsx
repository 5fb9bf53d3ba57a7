import { Badge } from '#web/components/badge.tsx'
import type { Product } from '../api.ts'

export const ProductStatus = ({ is_active, available, quantity_on_hand }: Product) => {
  if (!is_active) return <Badge>Inactive</Badge>
  if (quantity_on_hand <= 0) return <Badge tone="bad">Out of stock</Badge>
  if (available <= 0) return <Badge tone="warn">All reserved</Badge>
  return <Badge tone="good">Active</Badge>
}

export const trackingOptions = [
  { value: 'none', label: 'By quantity' },
  { value: 'batch', label: 'By batch' },
  { value: 'serial', label: 'By serial number' },
]
