import type { Tx } from '#platform/db/database.ts'
import type { Publishing } from '../context.ts'
import { forget } from '../memory.ts'
import { fold } from '../words.ts'
import * as store from './store.ts'

/** Brings every post of an account in line with what it has become: public, protected or suspended. */
export const setAudience = async (ctx: Publishing, tx: Tx, authorId: number, audience: store.Audience) => {
  const changed = await store.updateAudience(tx, authorId, audience)
  const ids = changed.map(({ id }) => id)
  await store.withdrawTerms(tx, ids)
  if (audience === 'public')
    await store.publishTerms(
      tx,
      ids,
      changed.map(({ content }) => fold(content)),
    )
  await forget(ctx, tx, { person: [authorId] })
}
