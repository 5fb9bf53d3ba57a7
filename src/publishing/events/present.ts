import type { StoredEvent } from '#events/events.ts'
import type { Publishing } from '../context.ts'
import { withPublicUrls } from '../picture-urls.ts'
import { type DeletedPost, isThere, type PostParts, renderDeleted, renderParts } from '../posts/render.ts'
import { readAccounts } from '../profiles/profiles.ts'
import type { Profile } from '../profiles/schema.ts'
import { type Listener, mayRead } from './receivers.ts'
import type { types } from './schema.ts'
import { dataOf, subjectId } from './stored.ts'

type Present = (ctx: Publishing, reader: Listener, event: StoredEvent) => Promise<object | undefined>

const activeAccount = async (ctx: Publishing, id: number) => {
  const [account] = await readAccounts(ctx, [id])
  return account?.isSuspended === false ? account : undefined
}

/** Who did it, or whom it tells of; nobody who is deleted or suspended by now. */
const userIn = async (ctx: Publishing, event: StoredEvent) => {
  const { by, user = by } = dataOf(event)
  const account = user === undefined ? undefined : await activeAccount(ctx, user)
  if (!account) return undefined
  const { id, username, handle, avatar_url, is_verified } = account
  return { id, username, handle, avatar_url, is_verified }
}

const changedPost: Present = (ctx, { viewer }, event) =>
  renderParts(ctx, viewer, subjectId(event), dataOf<PostParts>(event))

const like: Present = async (ctx, _, event) => {
  const id = subjectId(event)
  const user = (await isThere(ctx, id)) ? await userIn(ctx, event) : undefined
  return user && { id, like_count: dataOf<{ like_count: number }>(event).like_count, user }
}

const follow: Present = async (ctx, _, event) => {
  const user = await userIn(ctx, event)
  return user && { user }
}

const profile = ({ config }: Publishing, event: StoredEvent) =>
  withPublicUrls(config.urls.publishing, dataOf<Profile>(event))

const presenters: Record<keyof typeof types, Present> = {
  'post.created': changedPost,
  'post.updated': changedPost,
  'post.deleted': (ctx, { viewer }, event) => renderDeleted(ctx, viewer, dataOf<DeletedPost>(event)),
  'post.liked': like,
  'post.unliked': like,
  'post.mentioned': (ctx, { viewer }, event) =>
    renderParts(ctx, viewer, subjectId(event), dataOf<{ post: PostParts }>(event).post),
  'user.followed': follow,
  'user.unfollowed': follow,
  'user.follow_requested': follow,
  'user.updated': async (ctx, _, event) =>
    (await activeAccount(ctx, subjectId(event))) && profile(ctx, event),
  'user.deleted': async (ctx, _, event) => profile(ctx, event),
}

/** What an event is about as it was then, if the reader may see it now. */
export const present: Present = async (ctx, reader, event) =>
  (await mayRead(ctx, reader, event)) ? presenters[event.type]?.(ctx, reader, event) : undefined
