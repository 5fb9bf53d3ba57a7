import type { Member } from './queries.ts'

/** What each role is for, in the words of those who choose one. */
export const roles: { value: Member['role']; label: string; hint: string }[] = [
  { value: 'Staff', label: 'Staff', hint: 'Takes orders, looks after customers, and sees all stock.' },
  { value: 'Manager', label: 'Manager', hint: 'Also ships, changes products and stock, and buys.' },
  { value: 'Admin', label: 'Admin', hint: 'Also manages users, warehouses and these settings.' },
]

/** "a Manager", "an Admin", but "Staff". */
export const aRole = (role: string) => (role === 'Staff' ? role : `${role === 'Admin' ? 'an' : 'a'} ${role}`)
