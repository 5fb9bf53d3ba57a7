import { html } from '#platform/web/html.ts'
import type { Member, Publishing, Reader } from '../context.ts'
import { relationshipsTo } from '../graph/graph.ts'
import type { FollowStatus } from '../graph/schema.ts'

/** What a follow button does and says. */
export const followActions: Record<FollowStatus, readonly [action: string, words: string]> = {
  none: ['follow', 'Follow'],
  requested: ['unfollow', 'Cancel request'],
  following: ['unfollow', 'Unfollow'],
}

/** The button that follows an account in a list, or no longer. */
export const followButton = ({ formToken }: Member, next: string, handle: string, status: FollowStatus) => {
  const [action, words] = followActions[status]
  const name = status === 'requested' ? `Cancel request to follow @${handle}` : `${words} @${handle}`
  return html`<form class="choice" method="post" action="/@${handle}"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="next" value="${next}"><button name="action" value="${action}" data-swap=".choice" data-key="follow" aria-label="${name}">${words}</button></form>`
}

export const anchorOf = ({ handle }: { handle: string }) => `u-${handle}`

/** A follow button for each of these accounts; none for visitors, for the reader, and for whom the reader blocks. */
export const followButtons = async (
  ctx: Publishing,
  reader: Reader,
  path: string,
  users: readonly { id: number }[],
) => {
  if (!reader) return () => null
  const ids = users.map(({ id }) => id)
  const relationships = await relationshipsTo(ctx, reader, ids)
  return (user: { id: number; handle: string }) => {
    const known = relationships.get(user.id)
    if (!known || known.blocks || user.id === reader.userId) return null
    return followButton(reader, `${path}#${anchorOf(user)}`, user.handle, known.status)
  }
}
