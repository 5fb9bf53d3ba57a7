import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { UserPlus } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { Email } from '#web/components/email.tsx'
import type { MenuItem } from '#web/components/menu.tsx'
import { Page } from '#web/components/page.tsx'
import { useQueryState } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { When } from '#web/components/when.tsx'
import { api } from '../api.ts'
import { InviteMember } from './invite-member.tsx'
import { type Member, membersQuery } from './queries.ts'

const roleNames = { owner: 'Owner', admin: 'Admin', member: 'Member' }

const columns: Column<Member>[] = [
  { key: 'name', title: 'Name', cell: ({ full_name }) => full_name },
  { key: 'email', title: 'Email', cell: ({ email }) => <Email of={email} /> },
  {
    key: 'role',
    title: 'Role',
    width: '8rem',
    cell: ({ role }) => <Badge tone={role === 'member' ? 'quiet' : 'accent'}>{roleNames[role]}</Badge>,
  },
  {
    key: 'joined',
    title: 'Joined',
    width: '9rem',
    minor: true,
    cell: (member) => <When at={member.created_at} />,
  },
]

export function Members() {
  const { data, error, refetch } = useQuery(membersQuery)
  const queries = useQueryClient()
  const [search, setSearch] = useQueryState('search')
  const [isNew, setNew] = useState(false)
  const sought = search.trim().toLowerCase()
  const rows = data?.filter(({ full_name, email }) => `${full_name}\n${email}`.toLowerCase().includes(sought))

  const setRole = async (member: Member, role: 'admin' | 'member') => {
    await api.PATCH('/members/{userId}', { params: { path: { userId: member.id } }, body: { role } })
    await queries.invalidateQueries({ queryKey: ['members'] })
  }
  const changeRole = async (member: Member, role: 'admin' | 'member') => {
    const before = member.role === 'admin' ? 'admin' : 'member'
    try {
      await setRole(member, role)
      toast(`${member.full_name} is now ${role === 'admin' ? 'an admin' : 'a member'}`, {
        undo: () => setRole(member, before),
      })
    } catch (error) {
      toastError(error)
    }
  }
  const remove = async (member: Member) => {
    const isSure = await confirm({
      title: `Remove ${member.full_name}?`,
      text: `${member.email} can no longer sign in, and the keys of this account stop working at once. What was uploaded stays.`,
      verb: 'Remove member',
      danger: true,
    })
    if (!isSure) return
    try {
      await api.DELETE('/members/{userId}', { params: { path: { userId: member.id } } })
      await queries.invalidateQueries({ queryKey: ['members'] })
      toast(`${member.full_name} removed`)
    } catch (error) {
      toastError(error)
    }
  }
  const actions = (member: Member): MenuItem[] =>
    member.role === 'owner'
      ? []
      : [
          member.role === 'admin'
            ? { label: 'Make member', onSelect: () => changeRole(member, 'member') }
            : { label: 'Make admin', onSelect: () => changeRole(member, 'admin') },
          { label: 'Remove', danger: true, onSelect: () => remove(member) },
        ]

  return (
    <Page
      title="Members"
      actions={
        <Button act kind="primary" icon={UserPlus} onClick={() => setNew(true)}>
          Invite member
        </Button>
      }
    >
      <DataTable
        label="Members"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowName={({ full_name }) => full_name}
        actions={actions}
        error={error}
        retry={refetch}
        filtered={search !== ''}
        onClear={() => setSearch('')}
        toolbar={<SearchField label="Search members" value={search} onInput={setSearch} />}
      />
      {isNew && <InviteMember onClose={() => setNew(false)} />}
    </Page>
  )
}
