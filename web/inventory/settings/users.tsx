import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { UserPlus } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { Email } from '#web/components/email.tsx'
import type { MenuItem } from '#web/components/menu.tsx'
import { useQueryState } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { refreshSession, useSession } from '#web/frame/session.ts'
import { api, type Schemas } from '../api.ts'
import { NewUser } from './new-user.tsx'
import { type Member, usersQuery } from './queries.ts'
import { aRole, roles } from './roles.ts'

const columns: Column<Member>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'email', title: 'Email', cell: ({ email }) => <Email of={email} /> },
  { key: 'role', title: 'Role', width: '8rem', cell: ({ role }) => <Badge tone={role === 'Staff' ? 'quiet' : 'accent'}>{role}</Badge> },
  { key: 'status', title: 'Status', width: '8rem', cell: ({ is_banned }) => is_banned ? <Badge tone="bad">Deactivated</Badge> : <Badge tone="good">Active</Badge> },
  { key: 'joined', title: 'Joined', width: '9rem', minor: true, cell: ({ created_at }) => <When at={created_at} /> },
] // biome-ignore format: a table

const askToStepDown = (role: string) =>
  confirm({
    title: 'Change your own role?',
    text: `You will be ${aRole(role)} at once. Only another Admin can change it back.`,
    verb: 'Change role',
    danger: true,
  })

export function Users() {
  const { data, error, refetch } = useQuery(usersQuery)
  const queries = useQueryClient()
  const { user: me } = useSession()
  const [search, setSearch] = useQueryState('search')
  const [isNew, setNew] = useState(false)
  const sought = search.trim().toLowerCase()
  const rows = data?.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(sought))
  const isMe = ({ id }: Member) => String(id) === me.id

  const change = async ({ id }: Member, body: Schemas['MemberChange']) => {
    await api.PATCH('/api/users/{id}', { params: { path: { id } }, body })
    await queries.invalidateQueries({ queryKey: ['users'] })
  }
  const setRole = async (member: Member, role: Member['role']) => {
    if (isMe(member) && !(await askToStepDown(role))) return
    try {
      await change(member, { role })
      if (isMe(member)) return await refreshSession()
      toast(`${member.name} is now ${aRole(role)}`, { undo: () => change(member, { role: member.role }) })
    } catch (error) {
      toastError(error)
    }
  }
  const setBanned = async (member: Member, is_banned: boolean) => {
    try {
      await change(member, { is_banned })
      toast(`${member.name} ${is_banned ? 'can no longer sign in' : 'can sign in again'}`, {
        undo: () => change(member, { is_banned: !is_banned }),
      })
    } catch (error) {
      toastError(error)
    }
  }
  const actions = (member: Member): MenuItem[] => [
    ...roles
      .filter(({ value }) => value !== member.role)
      .map(({ value }) => ({ label: `Make ${value}`, onSelect: () => setRole(member, value) })),
    ...(isMe(member)
      ? []
      : member.is_banned
        ? [{ label: 'Reactivate', onSelect: () => setBanned(member, false) }]
        : [{ label: 'Deactivate', danger: true, onSelect: () => setBanned(member, true) }]),
  ]
  return (
    <>
      <DataTable
        label="Users"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        actions={actions}
        error={error}
        retry={refetch}
        filtered={search !== ''}
        onClear={() => setSearch('')}
        toolbar={
          <>
            <SearchField label="Search users" value={search} onInput={setSearch} />
            <Button act kind="primary" icon={UserPlus} onClick={() => setNew(true)}>
              New user
            </Button>
          </>
        }
      />
      {isNew && <NewUser onClose={() => setNew(false)} />}
    </>
  )
}
