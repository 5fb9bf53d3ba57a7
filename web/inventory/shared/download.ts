import { toastError } from '#web/components/toast.tsx'
import { api } from '../api.ts'

type CsvPath =
  | '/api/orders/export'
  | '/api/products/export'
  | '/api/reports/financial/export'
  | '/api/reports/cogs/export'
  | '/api/reports/inventory/export'

/** Saves a file that the service makes. Not a plain link: the session counts only on requests of the console. */
export const downloadCsv = async (path: CsvPath, query: Record<string, unknown>, name: string) => {
  try {
    const { data } = await api.GET(path, { params: { query: { ...query, bom: 1 } }, parseAs: 'blob' })
    saveFile(data as unknown as Blob, name)
  } catch (error) {
    toastError(error)
  }
}

const saveFile = (content: Blob, name: string) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
