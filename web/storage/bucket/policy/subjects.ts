import { queryOptions, useQuery } from '@tanstack/preact-query'
import { useSession } from '#web/frame/session.ts'
import { api } from '#web/storage/api.ts'
import type { SubjectType } from './statements.ts'

const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => (await api.GET('/members', { signal })).data,
})

/** Only owners may list members; others know those who have done something. */
const actorsQuery = queryOptions({
  queryKey: ['audit-choices'],
  queryFn: async ({ signal }) => (await api.GET('/audit-logs/filters', { signal })).data,
})

const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await api.GET('/auth/api-keys', { signal })).data,
})

export type Choice = { value: string; label: string }

const roles: Record<string, string> = {
  owner: 'Owners',
  admin: 'Admins',
  member: 'Members',
  anonymous: 'Everybody without credentials',
}

/** Those whom statements and simulations can be about, by name. */
export const useSubjects = () => {
  const { can, user } = useSession()
  const isOwner = can('member.list')
  const { data: members } = useQuery({ ...membersQuery, enabled: isOwner })
  const { data: choices } = useQuery({ ...actorsQuery, enabled: !isOwner })
  const { data: keys = [] } = useQuery(keysQuery)
  const others = (isOwner ? members : choices?.actors)?.filter(({ id }) => id !== user.id) ?? []
  const people = [{ id: user.id, full_name: user.name, email: user.email }, ...others]

  const nameOf = (type: SubjectType, id: string) => {
    if (type === 'role') return roles[id] ?? id
    if (type === 'user') return people.find((one) => one.id === id)?.full_name ?? `The person ${id}`
    const key = keys.find((one) => one.id === id)
    return key ? `The key ${key.label}` : `The key ${id}`
  }
  const choicesOf = {
    roles: Object.entries(roles).map(([id, label]): Choice => ({ value: `role:${id}`, label })),
    people: people.map(
      ({ id, full_name, email }): Choice => ({ value: `user:${id}`, label: `${full_name} (${email})` }),
    ),
    keys: keys.map(
      ({ id, label, key_prefix }): Choice => ({ value: `api_key:${id}`, label: `${label} (${key_prefix}…)` }),
    ),
  }
  return { nameOf, choices: choicesOf }
}

export type Subjects = ReturnType<typeof useSubjects>
