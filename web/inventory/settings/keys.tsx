import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { KeyRound, Plus } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge, type Tone } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { date } from '#web/components/format.ts'
import { useQueryState } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { api } from '../api.ts'
import { Units } from '../shared/units.tsx'
import { NewKey } from './new-key.tsx'
import { type ApiKey, keysQuery } from './queries.ts'

const statuses: Record<ApiKey['status'], [word: string, tone: Tone]> = {
  active: ['Active', 'good'],
  expired: ['Expired', 'warn'],
  banned: ['Creator deactivated', 'bad'],
  revoked: ['Revoked', 'quiet'],
}
const Status = ({ status }: ApiKey) => <Badge tone={statuses[status][1]}>{statuses[status][0]}</Badge>
const permissionsOf = ({ permissions }: ApiKey) => (permissions.includes('write') ? 'Read and write' : 'Read')

const columns: Column<ApiKey>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'key', title: 'Key', width: '12rem', minor: true, cell: ({ key_prefix }) => <code>{key_prefix}…</code> },
  { key: 'permissions', title: 'Permissions', width: '9rem', cell: permissionsOf },
  { key: 'by', title: 'Created by', width: '10rem', minor: true, cell: ({ created_by_name }) => created_by_name },
  { key: 'used', title: 'Last used', width: '8rem', cell: ({ last_used_at }) => <When at={last_used_at} /> },
  { key: 'requests', title: 'Requests', align: 'end', width: '7rem', cell: ({ requests }) => <Units n={requests} /> },
  { key: 'expires', title: 'Last day', width: '8rem', minor: true, cell: ({ expires_at }) => expires_at ? date(new Date(`${expires_at}T00:00`)) : <span class="quiet">None</span> },
  { key: 'status', title: 'Status', width: '7rem', cell: Status },
] // biome-ignore format: a table

/** Those that work first, then the newest. */
const byUse = (a: ApiKey, b: ApiKey) => Number(b.is_active) - Number(a.is_active) || b.id - a.id

export function Keys() {
  const { data, error, refetch } = useQuery(keysQuery)
  const queries = useQueryClient()
  const [search, setSearch] = useQueryState('search')
  const [isNew, setNew] = useState(false)
  const sought = search.trim().toLowerCase()
  const rows = data
    ?.filter(
      ({ name, key_prefix }) => name.toLowerCase().includes(sought) || key_prefix.includes(search.trim()),
    )
    .sort(byUse)

  const revoke = async ({ id, name }: ApiKey) => {
    const isSure = await confirm({
      title: `Revoke ${name}?`,
      text: 'Programs that use it are refused at once. Its usage log stays. This cannot be undone.',
      verb: 'Revoke key',
      danger: true,
    })
    if (!isSure) return
    try {
      await api.DELETE('/api/api-keys/{id}', { params: { path: { id } } })
      await queries.invalidateQueries({ queryKey: ['keys'] })
      toast(`${name} revoked`)
    } catch (error) {
      toastError(error)
    }
  }
  const newKey = (
    <Button kind="primary" icon={Plus} onClick={() => setNew(true)}>
      New key
    </Button>
  )
  return (
    <>
      <DataTable
        label="API keys"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        hrefOf={({ id }) => `/console/settings/usage?key=${id}`}
        actions={(key) =>
          key.status === 'revoked' ? [] : [{ label: 'Revoke', danger: true, onSelect: () => revoke(key) }]
        }
        error={error}
        retry={refetch}
        filtered={search !== ''}
        onClear={() => setSearch('')}
        toolbar={
          data &&
          data.length > 0 && (
            <>
              <SearchField label="Search keys" value={search} onInput={setSearch} />
              {newKey}
            </>
          )
        }
        empty={
          <Empty
            icon={KeyRound}
            title="No keys yet"
            text="Shops, tills and scripts use keys instead of a password, with the external API and the SDK."
            action={newKey}
          />
        }
      />
      {isNew && <NewKey onClose={() => setNew(false)} />}
    </>
  )
}
