import { Download } from 'lucide-preact'
import { Button } from '#web/components/button.tsx'
import { downloadCsv } from '../shared/download.ts'

/** Saves what is shown, all pages of it. */
export const ExportReport = ({ path, query, name }: ReportFile) => (
  <Button icon={Download} onClick={() => downloadCsv(path, query, name)}>
    Export CSV
  </Button>
)

type ReportFile = {
  path: Parameters<typeof downloadCsv>[0]
  query: Record<string, unknown>
  name: string
}
