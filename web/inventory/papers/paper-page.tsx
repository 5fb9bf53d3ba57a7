import { useQuery } from '@tanstack/preact-query'
import type { Paper } from '../api.ts'
import type { FileAnswer } from '../shared/download.ts'
import { usePageRule } from './page-rule.ts'
import { Choice, PrintPage } from './print-page.tsx'
import type { PaperQuery } from './queries.ts'
import { useRememberedSize } from './remembered.ts'
import { Sheet } from './sheet.tsx'

export type PaperSize = 'a4' | 'letter'

const sizes = [
  { value: 'a4', label: 'A4' },
  { value: 'letter', label: 'Letter' },
]

type PaperPageProps = {
  title: string
  query: PaperQuery
  pdf: (size: PaperSize) => Promise<FileAnswer>
  breadcrumbOf: (paper?: Paper) => { label: string; href: string }[]
}

/** A paper on A4 or Letter. */
export function PaperPage({ title, query, pdf, breadcrumbOf }: PaperPageProps) {
  const { data: paper, error, refetch } = useQuery(query)
  const [size, setSize] = useRememberedSize<PaperSize>('trivet-paper', ['a4', 'letter'])
  usePageRule(`size: ${size}; margin: 15mm`)
  return (
    <PrintPage
      title={title}
      breadcrumb={breadcrumbOf(paper)}
      choices={<Choice label="Paper size" value={size} options={sizes} onChange={setSize} />}
      error={error}
      retry={refetch}
      pdf={() => pdf(size)}
    >
      {paper && <Sheet paper={paper} size={size} />}
    </PrintPage>
  )
}
