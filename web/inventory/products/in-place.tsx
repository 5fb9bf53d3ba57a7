import { useQueryClient } from '@tanstack/preact-query'
import { Pencil } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { IconButton } from '#web/components/button.tsx'
import { Form } from '#web/components/form.tsx'
import type { FormState } from '#web/components/form-state.ts'
import { useSession } from '#web/frame/session.ts'
import { api, type Product } from '../api.ts'
import { bodyOf, type ProductValues, valuesOf } from './product-fields.tsx'

type Props = {
  product: Product
  name: keyof ProductValues
  label: string
  /** What is shown while nobody edits it. */
  children: ComponentChildren
  field: (form: FormState<ProductValues>) => ComponentChildren
}

/** "Change price", but "Change SKU". */
const lower = (label: string) => (/^[A-Z]{2}/.test(label) ? label : label.toLowerCase())

/** A value with a button beside it that makes it a field: Enter saves it alone, Escape leaves it as it was. */
export function InPlace({ product, name, label, children, field }: Props) {
  const { can } = useSession()
  const queries = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    const control = frame.current?.querySelector<HTMLElement>(
      isEditing ? 'input, select, textarea' : 'button',
    )
    if (isEditing || wasEditing.current) control?.focus()
    if (control instanceof HTMLInputElement) control.select()
    wasEditing.current = isEditing
  }, [isEditing])
  if (!can('product.write')) return <>{children}</>
  if (!isEditing)
    return (
      <div class="in-place" ref={frame}>
        <span>{children}</span>
        <IconButton label={`Change ${lower(label)}`} icon={Pencil} onClick={() => setEditing(true)} />
      </div>
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for what the button does
    <div
      class="in-place editing"
      ref={frame}
      onKeyDown={(event) => event.key === 'Escape' && setEditing(false)}
    >
      <Form
        initial={valuesOf(product)}
        submit="Save"
        layout="line"
        onCancel={() => setEditing(false)}
        onSubmit={async (values) => {
          await api.PATCH('/api/products/{id}', {
            params: { path: { id: product.id } },
            body: { [name]: bodyOf(values)[name] },
          })
          await queries.invalidateQueries({ queryKey: ['products'] })
          setEditing(false)
        }}
      >
        {field}
      </Form>
    </div>
  )
}
