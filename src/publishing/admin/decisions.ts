import type { Flags } from '../profiles/profiles.ts'

export const decisions: Record<string, { summary: string; description: string; flags: Flags }> = {
  suspend: {
    summary: 'Suspend an account',
    description:
      'Suspends an account: its tokens and keys are refused, and its posts vanish from everywhere. Only admins may ' +
      'do this. Nothing is deleted.',
    flags: { is_suspended: true },
  },
  unsuspend: {
    summary: 'Lift a suspension',
    description:
      'Ends a suspension: the account can log in again and its posts are back. Only admins may do this.',
    flags: { is_suspended: false },
  },
  verify: {
    summary: 'Verify an account',
    description:
      'Marks an account as verified, which everybody sees in its profile. Only admins may do this.',
    flags: { is_verified: true },
  },
  admin: {
    summary: 'Make an account an admin',
    description: 'Lets an account use the operations in this group. Only admins may do this.',
    flags: { is_admin: true },
  },
}
