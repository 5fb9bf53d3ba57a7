import { Trash2 } from 'lucide-preact'
import { Button } from '#web/components/button.tsx'
import { Filter } from '#web/components/filter.tsx'
import { bytes } from '#web/components/format.ts'
import { useQueryState } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast } from '#web/components/toast.tsx'

type Row = { name: string; size: number; kind: string }

const all: Row[] = Array.from({ length: 60 }, (_, n) => ({
  name: `2026/harbour-${n + 1}.jpeg`,
  size: 1000 * (n + 1) ** 2,
  kind: n % 3 === 0 ? 'image/png' : 'image/jpeg',
}))

const columns: Column<Row>[] = [
  { key: 'name', title: 'Name', sort: 'name', cell: ({ name }) => name },
  { key: 'kind', title: 'Type', width: '10rem', minor: true, cell: ({ kind }) => kind },
  { key: 'size', title: 'Size', align: 'end', width: '8rem', cell: ({ size }) => bytes(size) },
]

/** A table with everything that a table can have. */
export function ShownTable() {
  const [search, setSearch] = useQueryState('search')
  const [kind, setKind] = useQueryState('type')
  const [sort, setSort] = useQueryState('sort', 'name')
  const [page, setPage] = useQueryState('page', '1')
  const [size, setSize] = useQueryState('size', '10')
  const found = all
    .filter((row) => row.name.includes(search) && (!kind || row.kind === kind))
    .sort((a, b) => a.name.localeCompare(b.name) * (sort === 'name' ? 1 : -1))
  const from = (Number(page) - 1) * Number(size)
  return (
    <DataTable
      label="Examples"
      columns={columns}
      rows={found.slice(from, from + Number(size))}
      rowKey={({ name }) => name}
      rowName={({ name }) => name}
      onOpen={({ name }) => toast(`Opened ${name}`)}
      actions={({ name }) => [
        { label: 'Delete', icon: Trash2, danger: true, onSelect: () => toast(`${name} deleted`) },
      ]}
      selection={{
        actions: (rows, clear) => (
          <Button
            kind="danger"
            icon={Trash2}
            onClick={() => {
              toast(`${rows.length} deleted`)
              clear()
            }}
          >
            Delete
          </Button>
        ),
      }}
      sort={{ by: sort, onSort: setSort }}
      paging={{
        kind: 'pages',
        page: Number(page),
        pageCount: Math.ceil(found.length / Number(size)),
        total: found.length,
        onPage: (n) => setPage(String(n)),
        size: Number(size),
        sizes: [10, 25, 50],
        onSize: (n) => setSize(String(n)),
      }}
      filtered={search !== '' || kind !== ''}
      onClear={() => setSearch('')}
      toolbar={
        <>
          <SearchField label="Search examples" value={search} onInput={setSearch} />
          <Filter
            label="Type"
            value={kind}
            onChange={setKind}
            options={[
              { value: '', label: 'All types' },
              { value: 'image/png', label: 'PNG' },
              { value: 'image/jpeg', label: 'JPEG' },
            ]}
          />
        </>
      }
    />
  )
}
