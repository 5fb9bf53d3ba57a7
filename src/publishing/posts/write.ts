import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Publishing } from '../context.ts'
import { createPosts, type NewPost } from './store.ts'

/**
 * Posts that are published at the same moment are written by one statement, because a statement and a commit for each would
 * take twice as long. Only those share one that lock nothing but their own account, in the order of accounts.
 */
const together = moduleState(({ db }: Platform) =>
  db.batchWrites({
    exclusiveBy: ({ author_id }: NewPost) => author_id,
    mayShare: () => true,
    async run(q, posts) {
      const inOrder = posts.toSorted((a, b) => a.author_id - b.author_id)
      const created = await createPosts(q, inOrder)
      return posts.map((post) => created[inOrder.indexOf(post)]!)
    },
  }),
)

/** Creates a post; returns its id, or why it is refused. */
export const writePost = async (ctx: Publishing, post: NewPost) => {
  const locksMore = post.parent_id !== null || post.quote_of_id !== null || post.hashtags.length > 0
  if (!locksMore) return together(ctx)(post)
  const [created] = await ctx.db.write((q) => createPosts(q, [post]))
  return created!
}
