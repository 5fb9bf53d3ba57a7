import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { type Column, DataTable } from '#web/components/table.tsx'
import type { Schemas } from '../api.ts'
import { productQuery } from '../shared/products.ts'
import { stockRowQuery } from '../stock/queries.ts'
import { Why } from '../stock/why.tsx'

export type Finding = Schemas['Finding']

const size = 25

/** What differs, with the way to what explains it. */
export function Findings({ findings }: { findings: Finding[] }) {
  const [page, setPage] = useState(1)
  const [why, setWhy] = useState<Finding | null>(null)
  const columns: Column<Finding>[] = [
    { key: 'what', title: 'What must hold', cell: ({ invariant }) => capital(invariant) },
    { key: 'where', title: 'Where', cell: (finding) => <Subject finding={finding} /> },
    { key: 'detail', title: 'What differs', cell: ({ detail }) => detail },
    {
      key: 'why',
      title: 'Movements',
      width: '7rem',
      cell: (finding) =>
        finding.product_id &&
        finding.warehouse_id && (
          <button class="why" type="button" onClick={() => setWhy(finding)}>
            Why?
          </button>
        ),
    },
  ]
  return (
    <>
      <DataTable
        label="Differences"
        columns={columns}
        rows={findings.slice((page - 1) * size, page * size)}
        rowKey={({ invariant, subject, detail }) => `${invariant} ${subject} ${detail}`}
        rowName={({ subject }) => subject}
        paging={{
          kind: 'pages',
          page,
          pageCount: Math.ceil(findings.length / size),
          total: findings.length,
          size,
          onPage: setPage,
        }}
      />
      {why && <WhyAt {...why} onClose={() => setWhy(null)} />}
    </>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** By its name where it has one; the service knows it by its number. */
const Subject = ({ finding: { subject, product_id = 0, order_id } }: { finding: Finding }) => {
  const { data: product } = useQuery({ ...productQuery(product_id), enabled: product_id > 0 })
  const text = capital(subject)
  if (product) return <a href={`/console/products/${product_id}/stock`}>{`${product.name} (${subject})`}</a>
  return order_id ? <a href={`/console/orders/${order_id}`}>{text}</a> : <span>{text}</span>
}

const WhyAt = ({ product_id = 0, warehouse_id = 0, onClose }: Finding & { onClose: () => void }) => {
  const { data: row } = useQuery(stockRowQuery(product_id, warehouse_id))
  return row ? <Why row={row} onClose={onClose} /> : null
}
