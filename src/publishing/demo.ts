import { register } from './accounts/accounts.ts'
import { findCredentials } from './accounts/store.ts'
import type { Publishing } from './context.ts'
import { changeProfile } from './profiles/profiles.ts'

const password = 'trivet-demo'
const people = [
  {
    handle: 'mira',
    username: 'Mira Okafor',
    bio: 'Tide tables, lighthouses, long walks.',
    location: 'Whitby',
  },
  { handle: 'jonas', username: 'Jonas Lind', bio: 'Brödbak och cykelturer.', location: 'Uppsala' },
  { handle: 'haruka', username: '遥', bio: '写真と珈琲。', location: '京都' },
]

/** A few believable accounts. */
export const demo = async (ctx: Publishing) => {
  for (const { handle, username, ...profile } of people) {
    const email = `${handle}@pages.example`
    if (await findCredentials(ctx.db.sql, email)) continue
    const { user } = await register(ctx, { email, password, handle, username })
    await changeProfile(ctx, { userId: user.id, handle, isAdmin: false }, profile)
  }
  return people.map(({ handle }) => ({ role: `@${handle}`, login: `${handle}@pages.example`, password }))
}
