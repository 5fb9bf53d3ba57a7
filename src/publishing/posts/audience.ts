import { inBatches } from '../batches.ts'
import type { Publishing } from '../context.ts'
import { forgetSoon } from '../memory.ts'
import { fold } from '../words.ts'
import * as audiences from './audience-store.ts'
import { lockWithOriginals } from './removal-store.ts'
import { publishTerms, withdrawTerms } from './store.ts'

/** Brings every post of an account in line with what it has become: public, protected or suspended. */
export const settlePosts = async (ctx: Publishing, authorId: number) =>
  inBatches(await audiences.strayPosts(ctx.db.sql, authorId), (batch) =>
    ctx.db.transaction(async (tx) => {
      await lockWithOriginals(tx, batch)
      const audience = await audiences.holdAudience(tx, authorId)
      if (!audience) return
      const { moved, recounted } = await audiences.moveTo(tx, authorId, batch, audience)
      const ids = moved.map(({ id }) => id)
      await withdrawTerms(tx, ids)
      if (audience === 'public')
        await publishTerms(
          tx,
          ids,
          moved.map(({ content }) => fold(content)),
        )
      forgetSoon(ctx, { post: recounted })
    }),
  )
