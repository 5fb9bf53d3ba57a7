import { TrivetError } from '#sdk/index.ts'

/** A list that is saved as a whole, with the tag that tells it from what others save. */
export type TaggedList<T> = { items: T[]; etag: string }

export const taggedList = <T>(items: T[], { headers }: Response): TaggedList<T> => ({
  items,
  etag: headers.get('etag') ?? '',
})

/** Somebody else has saved since it was read. */
export const isOvertaken = (error: unknown) => error instanceof TrivetError && error.status === 412

const maxAttempts = 5

type Change<T, New> = {
  /** What was read before may do at first. */
  read: (isFirst: boolean) => Promise<TaggedList<T>>
  /** What shall be there instead; the same list if there is nothing to do. */
  change: (items: T[]) => New[]
  write: (items: New[], etag: string) => Promise<unknown>
}

/** Changes a list. Where somebody else was faster, the change is made to what they have saved. */
export const changeList = async <T extends New, New>({ read, change, write }: Change<T, New>) => {
  for (let attempt = 1; ; attempt++) {
    const { items, etag } = await read(attempt === 1)
    const next = change(items)
    if (next === items) return
    try {
      await write(next, etag)
      return
    } catch (error) {
      if (!isOvertaken(error) || attempt === maxAttempts) throw error
    }
  }
}
