import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { KeyRound, Plus } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { counted } from '#web/components/format.ts'
import { Page } from '#web/components/page.tsx'
import { useQueryState } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { api } from '../api.ts'
import { descendantsOf } from './descendants.ts'
import { NewKey } from './new-key.tsx'
import { type ApiKey, keysQuery } from './queries.ts'

export function Keys() {
  const { data, error, refetch } = useQuery(keysQuery)
  const queries = useQueryClient()
  const [search, setSearch] = useQueryState('search')
  const [isNew, setNew] = useState(false)
  const sought = search.trim().toLowerCase()
  const rows = data?.filter(
    ({ label, key_prefix }) => label.toLowerCase().includes(sought) || key_prefix.includes(search.trim()),
  )
  const nameOf = (id: string | null) => data?.find((key) => key.id === id)?.label

  const columns: Column<ApiKey>[] = [
    { key: 'label', title: 'Label', cell: ({ label }) => label },
    { key: 'key', title: 'Key', width: '12rem', cell: ({ key_prefix }) => <code>{key_prefix}…</code> },
    { key: 'parent', title: 'Made with', width: '12rem', minor: true, cell: ({ parent_id }) => (parent_id ? (nameOf(parent_id) ?? 'Another key') : <span class="quiet">Sign-in</span>) },
    { key: 'used', title: 'Last used', width: '9rem', cell: ({ last_used_at }) => <When at={last_used_at} /> },
    { key: 'created', title: 'Created', width: '9rem', minor: true, cell: ({ created_at }) => <When at={created_at} /> },
  ] // biome-ignore format: a table

  const revoke = async (key: ApiKey) => {
    const below = descendantsOf(key.id, data ?? []).length
    const isSure = await confirm({
      title: `Revoke ${key.label}?`,
      text: `Programs that use it are refused at once${
        below > 0 ? `, and so are those with ${counted(below, 'key')} made with it` : ''
      }. This cannot be undone.`,
      verb: 'Revoke key',
      danger: true,
    })
    if (!isSure) return
    try {
      await api.DELETE('/auth/api-keys/{id}', { params: { path: { id: key.id } } })
      await queries.invalidateQueries({ queryKey: ['keys'] })
      toast(`${key.label} revoked`)
    } catch (error) {
      toastError(error)
    }
  }

  const newKey = (
    <Button act kind="primary" icon={Plus} onClick={() => setNew(true)}>
      New key
    </Button>
  )
  return (
    <Page title="Keys" actions={data && data.length > 0 && newKey}>
      <DataTable
        label="Keys"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowName={({ label }) => label}
        actions={(key) => [{ label: 'Revoke', danger: true, onSelect: () => revoke(key) }]}
        error={error}
        retry={refetch}
        filtered={search !== ''}
        onClear={() => setSearch('')}
        toolbar={
          data && data.length > 0 && <SearchField label="Search keys" value={search} onInput={setSearch} />
        }
        empty={
          <Empty
            icon={KeyRound}
            title="No keys yet"
            text="Programs use keys instead of your password: with this API, with S3 clients and with the SDK."
            action={newKey}
          />
        }
      />
      {isNew && <NewKey onClose={() => setNew(false)} />}
    </Page>
  )
}
