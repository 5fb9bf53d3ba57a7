import { Download } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { toastError } from '#web/components/toast.tsx'
import { api } from '../api.ts'
import type { AuditFilter } from './queries.ts'

/** Saves what matches as a file. The session is not for links, so that the page reads it first. */
export function ExportButton({ filter }: { filter: AuditFilter }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { data } = await api.GET('/audit-logs.csv', {
        params: { query: { ...filter, bom: 1 } },
        parseAs: 'blob',
      })
      saveFile(data as Blob, 'audit-log.csv')
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={Download} busy={isBusy} onClick={save}>
      Export CSV
    </Button>
  )
}
