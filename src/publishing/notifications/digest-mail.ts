import type { Mail } from '#platform/mail.ts'
import type { Notification, NotificationType } from './schema.ts'

/** Told one by one; the others are only counted. */
export const toldTypes = ['reply', 'mention', 'quote', 'follow_request', 'follow'] as const
type Told = (typeof toldTypes)[number]

const acts: Record<Told, string> = {
  reply: 'replied to you',
  mention: 'mentioned you',
  quote: 'quoted your post',
  follow_request: 'asks to follow you',
  follow: 'follows you',
}

const counted = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

export type News = { counts: ReadonlyMap<NotificationType, number>; newest: readonly Notification[] }

const line = (base: string, { type, actor, post }: Notification) =>
  `@${actor.handle} ${acts[type as Told]}: ${post?.url ?? (type === 'follow_request' ? `${base}/requests` : `${base}/@${actor.handle}`)}`

const summary = ({ counts, newest }: News) => {
  const of = (type: NotificationType) => counts.get(type) ?? 0
  const more = toldTypes.reduce((sum, type) => sum + of(type), 0) - newest.length
  return [
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(of('like') > 0 ? [counted(of('like'), 'like of your posts', 'likes of your posts')] : []),
    ...(of('repost') > 0 ? [counted(of('repost'), 'repost of your posts', 'reposts of your posts')] : []),
    ...(of('follow_accepted') > 0
      ? [counted(of('follow_accepted'), 'accepted request to follow', 'accepted requests to follow')]
      : []),
  ]
}

type Place = { name: string; base: string; to: string; unsubscribe: string }

/**
 * Names people by their handles alone and quotes nothing: the address may belong to somebody who never asked for it, and
 * no stranger may write to them.
 */
export const digestMail = ({ name, base, to, unsubscribe }: Place, news: News): Mail => {
  const total = [...news.counts.values()].reduce((a, b) => a + b, 0)
  return {
    to,
    subject: `${counted(total, 'new notification', 'new notifications')} at ${name}`,
    text: [
      'Hello,',
      `this is new for you at ${name}:`,
      [...news.newest.map((each) => line(base, each)), ...summary(news)].join('\n'),
      `All of it: ${base}/notifications`,
      `You get this mail at most once a day. No more of them: ${unsubscribe}`,
      '',
    ].join('\n\n'),
    unsubscribe,
  }
}
