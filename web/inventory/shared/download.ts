import { saveFile } from '#web/components/save-file.ts'
import { toastError } from '#web/components/toast.tsx'
import { api } from '../api.ts'

type CsvPath =
  | '/api/orders/export'
  | '/api/products/export'
  | '/api/reports/financial/export'
  | '/api/reports/cogs/export'
  | '/api/reports/inventory/export'

/** What the service answers when it is asked for a file, read as a blob. */
export type FileAnswer = { data?: unknown; response: Response }

const nameOf = ({ headers }: Response) =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1]

/** Saves a file that the service makes. Not a plain link: the session counts only on requests of the console. */
export const downloadFile = async (ask: () => Promise<FileAnswer>, name = 'download') => {
  try {
    const { data, response } = await ask()
    saveFile(data as Blob, nameOf(response) ?? name)
  } catch (error) {
    toastError(error)
  }
}

export const downloadCsv = (path: CsvPath, query: Record<string, unknown>, name: string) =>
  downloadFile(() => api.GET(path, { params: { query: { ...query, bom: 1 } }, parseAs: 'blob' }), name)
