import { useQueryClient } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { Problem } from '#web/components/form.tsx'
import { count, counted } from '#web/components/format.ts'
import { ProgressBar } from '#web/components/meter.tsx'
import { Page } from '#web/components/page.tsx'
import { toast } from '#web/components/toast.tsx'
import { ColumnMapping } from './column-mapping.tsx'
import { type CsvRecord, parseCsv } from './csv.ts'
import { guessMapping, type Mapping, mappingProblem } from './mapping.ts'
import { OutcomeCard } from './outcome-card.tsx'
import { type Outcome, runImport } from './run-import.ts'

type Running = { isDry: boolean; done: number }

const breadcrumb = [{ label: 'Products', href: '/console/products' }]

/** Choose a file, say what its columns are, look at what would happen, and run. */
export function ImportProducts() {
  const queries = useQueryClient()
  const { route } = useLocation()
  const [file, setFile] = useState<{ name: string; records: CsvRecord[] } | null>(null)
  const [mapping, setMapping] = useState<Mapping>([])
  const [preview, setPreview] = useState<Outcome | null>(null)
  const [running, setRunning] = useState<Running | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const ending = useRef(new AbortController())
  useEffect(() => () => ending.current.abort(), [])
  const rows = (file?.records.length ?? 1) - 1

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return
    const records = parseCsv(await chosen.text())
    setPreview(null)
    setProblem(records.length < 2 ? new Error('This file has no lines below its headings.') : null)
    setFile(records.length < 2 ? null : { name: chosen.name, records })
    setMapping(guessMapping(records[0]?.cells ?? []))
  }
  const run = async (isDry: boolean) => {
    const wrong = mappingProblem(mapping)
    if (wrong) return setProblem(new Error(wrong))
    if (!file || running) return
    setProblem(null)
    setRunning({ isDry, done: 0 })
    try {
      const onProgress = (done: number) => setRunning({ isDry, done })
      const outcome = await runImport(file.records, mapping, {
        isDry,
        onProgress,
        signal: ending.current.signal,
      })
      if (isDry) return setPreview(outcome)
      await queries.invalidateQueries({ queryKey: ['products'] })
      toast(`${counted(outcome.created, 'product')} created, ${count(outcome.updated)} changed`)
      route('/console/products')
    } catch (error) {
      if (!ending.current.signal.aborted) setProblem(error)
    } finally {
      setRunning(null)
    }
  }

  return (
    <Page title="Import products" breadcrumb={breadcrumb}>
      <Card title="File" text="CSV with headings in the first line. Products are recognised by their SKU.">
        <label class="field">
          <span>CSV file</span>
          <input
            type="file"
            accept=".csv,text/csv,text/tab-separated-values"
            onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
          />
        </label>
      </Card>
      {file && (
        <ColumnMapping
          records={file.records}
          mapping={mapping}
          onChange={(next) => {
            setMapping(next)
            setPreview(null)
          }}
        />
      )}
      {preview && <OutcomeCard outcome={preview} />}
      <Problem error={problem} />
      {running && (
        <ProgressBar
          label={running.isDry ? 'Checking' : 'Importing'}
          value={running.done}
          max={rows}
          text={`${count(running.done)} of ${count(rows)} lines`}
        />
      )}
      {file && (
        <div class="form-actions">
          {preview && preview.created + preview.updated > 0 && (
            <Button kind="primary" busy={running?.isDry === false} onClick={() => run(false)}>
              Import products
            </Button>
          )}
          <Button
            kind={preview ? 'plain' : 'primary'}
            busy={running?.isDry === true}
            onClick={() => run(true)}
          >
            Preview
          </Button>
          <Button onClick={() => route('/console/products')}>Cancel</Button>
        </div>
      )}
    </Page>
  )
}
