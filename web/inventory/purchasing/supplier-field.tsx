import { useState } from 'preact/hooks'
import { type FieldProps, useField } from '#web/components/field.tsx'
import type { Values } from '#web/components/form-state.ts'
import type { Supplier } from '../api.ts'
import { SupplierPicker } from '../shared/pickers.tsx'

type SupplierProps<V extends Values> = FieldProps<V> & {
  initial: Supplier | undefined
  onPick: (supplier: Supplier) => unknown
}

/** A supplier by name; the value is the id. */
export function SupplierField<V extends Values>({ initial, onPick, ...props }: SupplierProps<V>) {
  const { error, control, set } = useField<V, HTMLInputElement>(props)
  const [name, setName] = useState(initial?.name ?? '')
  return (
    <SupplierPicker
      form={props.form}
      label={props.label}
      value={name}
      error={error}
      autofocus={initial === undefined}
      inputRef={(input) => {
        control.current = input
      }}
      onPick={(supplier) => {
        set(supplier.id)
        setName(supplier.name)
        onPick(supplier)
      }}
    />
  )
}
