import type { Customer } from '../api.ts'

const typeNames: Record<Customer['customer_type'], string> = {
  retail: 'Retail',
  wholesale: 'Wholesale',
  b2b: 'B2B',
}
export const typeName = (type: Customer['customer_type']) => typeNames[type]
export const typeOptions = Object.entries(typeNames).map(([value, label]) => ({
  value: value as Customer['customer_type'],
  label,
}))
