import type { StoredEvent } from '#events/events.ts'

/**
 * What the statements that change something store as `data`, beside what differs by type. `by` is the account from which
 * it comes; without it that is the author whose event it is, or nobody. `user` is an account that it tells of instead.
 */
type Common = { by?: number; user?: number }

const parsed = new WeakMap<StoredEvent, Common>()

/** Each event is parsed once, for however many streams. */
export const dataOf = <Data extends object>(event: StoredEvent) => {
  const data = parsed.get(event) ?? (JSON.parse(event.data) as Common)
  parsed.set(event, data)
  return data as Common & Data
}

const ofAuthor = 'by/'

/** The owner of what an account does for all who follow it. What concerns an account alone has its id as the owner. */
export const actsOf = (accountId: number) => ofAuthor + accountId

export const authorIn = ({ owner }: StoredEvent) =>
  owner.startsWith(ofAuthor) ? Number(owner.slice(ofAuthor.length)) : undefined

/** The id in `post/42`. */
export const subjectId = ({ subject }: StoredEvent) => Number(subject.slice(subject.indexOf('/') + 1))
