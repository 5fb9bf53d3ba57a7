import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { counted } from '#web/components/format.ts'
import { useQueryParams } from '#web/components/query-state.ts'
import type { Label } from '../api.ts'
import type { FileAnswer } from '../shared/download.ts'
import { BarcodeImage } from './barcode.tsx'
import { usePageRule } from './page-rule.ts'
import { Choice, PrintPage } from './print-page.tsx'
import type { LabelQuery } from './queries.ts'
import { useRememberedSize } from './remembered.ts'

/** In millimetres, wide and high. */
const sizes = ['62x29', '57x32', '100x50', '100x150'] as const
type LabelSize = (typeof sizes)[number]
const options = sizes.map((value) => ({ value, label: `${value.replace('x', ' × ')} mm` }))

const mostCopies = 100

type LabelPageProps = {
  query: LabelQuery
  pdf: (query: { size: LabelSize; copies: number }) => Promise<FileAnswer>
  breadcrumbOf: (label?: Label) => { label: string; href: string }[]
}

/** Labels, one on each piece of the printer's roll. */
export function LabelPage({ query: labelQuery, pdf, breadcrumbOf }: LabelPageProps) {
  const { data: label, error, refetch } = useQuery(labelQuery)
  const [size, setSize] = useRememberedSize('trivet-label', sizes)
  const [query] = useQueryParams()
  const [text, setText] = useState(query.copies ?? '1')
  const copies = Math.min(Math.max(1, Math.trunc(Number(text)) || 1), mostCopies)
  const [width, height] = size.split('x')
  usePageRule(`size: ${width}mm ${height}mm; margin: 0`)
  return (
    <PrintPage
      title="Labels"
      breadcrumb={breadcrumbOf(label)}
      choices={
        <>
          <Choice label="Label size" value={size} options={options} onChange={setSize} />
          <label class="choice">
            <span>Copies</span>
            <input
              type="number"
              inputMode="numeric"
              min={1}
              max={mostCopies}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
              onBlur={() => setText(String(copies))}
            />
          </label>
        </>
      }
      error={error}
      retry={refetch}
      pdf={() => pdf({ size, copies })}
    >
      {label && (
        <div class="labels">
          <p class="quiet">In its real size. Prints {counted(copies, 'label')}.</p>
          {Array.from({ length: copies }, (_, n) => (
            <LabelPiece key={n} label={label} size={size} />
          ))}
        </div>
      )}
    </PrintPage>
  )
}

const LabelPiece = ({ label: { title, lines, code }, size }: { label: Label; size: LabelSize }) => (
  <article class={`label size-${size} ${code.symbology}`} aria-label={`Label of ${title}`}>
    <div class="label-face">
      <div class="label-words">
        <p class="label-title" dir="auto">
          {title}
        </p>
        {lines.map((line, n) => (
          <p key={n} dir="auto">
            {line}
          </p>
        ))}
      </div>
      <BarcodeImage code={code} />
      {code.symbology === 'code128' && <p class="label-code">{code.text}</p>}
    </div>
  </article>
)
