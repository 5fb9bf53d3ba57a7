import type { Flags } from '../profiles/profiles.ts'

export const decisions: Record<string, { summary: string; flags: Flags }> = {
  suspend: {
    summary: 'Suspend an account: it is locked out, and its posts are gone',
    flags: { is_suspended: true },
  },
  unsuspend: { summary: 'End a suspension: the posts are back', flags: { is_suspended: false } },
  verify: { summary: 'Mark an account as verified', flags: { is_verified: true } },
  admin: { summary: 'Make an account an admin', flags: { is_admin: true } },
}
