import { confirm } from '#web/components/confirm.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { queries } from '#web/frame/queries.ts'
import { api, type Supplier } from '../api.ts'

/** Asks first. Returns whether the supplier is gone: one from whom something was ordered stays. */
export const deleteSupplier = async ({ id, name }: Supplier) => {
  const agreed = await confirm({
    title: `Delete ${name}?`,
    text: 'Email, phone, payment terms and lead time are lost for good.',
    verb: 'Delete supplier',
    danger: true,
  })
  if (!agreed) return false
  try {
    await api.DELETE('/api/suppliers/{id}', { params: { path: { id } } })
    toast(`${name} deleted`)
    return true
  } catch (error) {
    toastError(error)
    return false
  } finally {
    void queries.invalidateQueries({ queryKey: ['suppliers', 'list'] })
  }
}
