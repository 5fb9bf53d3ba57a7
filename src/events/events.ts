import type { FastifyRequest } from 'fastify'
import type { Fragment, Sql } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import type { TSchema } from '#platform/type/type.ts'

/** Whose events somebody may read. A service adds what its own rules need. */
export type Reader = {
  /** The `owner` that their events were written with. */
  owner: string
  /** The person or the key that reads; nobody knows who strangers are. */
  account?: string
  /** The types that they may read; all of them, if it is left out. */
  types?: readonly string[]
}

export type Person = { id: string; name: string }

/** What somebody did with a webhook; `host` is where it sends to. */
type Deed = { action: string; webhook: string; host: string; now: Date }

/** An event as it was written, with the id that it has been given since. */
export type StoredEvent = {
  /** A UUID; on the wire it has a prefix, see `ids.ts`. */
  id: string
  owner: string
  type: string
  subject: string
  created_at: string
  /** JSON in one line. */
  data: string
}

/** The shapes of a service's responses, around what they contain. */
export type Envelope = {
  /** One thing. */
  one(name: string, schema: TSchema): { schema: TSchema; wrap(value: object): object }
  /** What a deletion returns. */
  deleted(name: string): { schema: TSchema; value(id: string): object }
  /** All things of a list, and more fields beside them, such as where to go on. */
  list(
    name: string,
    item: TSchema,
    more?: Record<string, TSchema>,
  ): { schema: TSchema; wrap(items: readonly object[], more?: object): object }
  /** A page of a list. `query` are the parameters that `pageOf` understands. */
  paged(
    name: string,
    item: TSchema,
  ): {
    query: Record<string, TSchema>
    schema: TSchema
    pageOf(query: object): { limit: number; offset: number }
    wrap(items: readonly object[], total: number, query: object): object
  }
}

type EventType = {
  /** When it happens, for the reference. */
  about: string
  /** What its `data` is. */
  data: TSchema
}

/** A path at which events are read; `name` becomes a part of its operationId, `query` are parameters of its own. */
type ReadingPath = {
  path: string
  access: string
  name: string
  tags: string[]
  query?: Record<string, TSchema>
}

/**
 * The events of a service. Whatever changes something writes them in the same transaction (see `write.ts`); everything
 * else is done by the platform: reading, streams, webhooks, removal, and their documentation.
 */
export type Events<Context extends Platform = Platform, Who extends Reader = Reader> = {
  /** Every type. */
  types: Record<string, EventType>
  reading: ReadingPath[]
  /**
   * Where webhooks are managed, and by whom. `limitStatus` refuses more of them than there may be; `location` is the path of
   * a new one, from the fields of the response. `managers` is said in the reference.
   */
  webhooks: {
    path: string
    location: string
    access: string
    tags: string[]
    limitStatus: 409 | 422
    managers?: string
  }
  envelope: Envelope
  /**
   * Who is asking, without counting it against a rate limit. Throws if they may not enter. It is asked again while a stream
   * is open, which ends when this throws, so it uses what is cached.
   */
  reader(ctx: Context, req: FastifyRequest): Promise<Who>
  /** Who manages the webhooks of an owner now. A webhook that nobody manages any more delivers nothing. */
  managers(ctx: Context, owner: string): Promise<{ reader: Who; emails: string[] }>
  /** Where an owner has several people: whose webhooks are whose, and where it is written down what they do with them. */
  accountable?: {
    /**
     * The person who asks, or who created the key that does. Nobody can take their right to manage webhooks away until the
     * transaction ends; throws if somebody has.
     */
    person(tx: Sql, who: Who): Promise<Person>
    /** Writes into the audit log what they have done. */
    record(q: Sql, who: Who, deed: Deed): PromiseLike<unknown>
  }
  /** Whose events somebody may read; null for those of everybody. Without it: those of their `owner`. */
  owners?(ctx: Context, reader: Who): readonly string[] | null | Promise<readonly string[] | null>
  /** The same for one event, for streams and deliveries. */
  mayRead?(ctx: Context, reader: Who, event: StoredEvent): boolean | Promise<boolean>
  /** Which webhooks receive which events, as a condition on `w.owner`, `e.owner` and `e.type`. Without it: of one owner. */
  receives?(q: Sql): Fragment
  /**
   * Where readers of one owner may not read the same: what that depends on, as text and as an expression on `e.type` and
   * `e.data`, and whether somebody may read events of that part. A reader is told that events were removed only if they
   * could have read some.
   */
  parts?: {
    of(q: Sql): Fragment
    mayRead(ctx: Context, reader: Who, type: string, part: string): boolean | Promise<boolean>
  }
  /** What the reader gets as `data`, from what was stored; nothing if they may not see it now. Without it: what was stored. */
  present?(ctx: Context, reader: Who, event: StoredEvent): object | undefined | Promise<object | undefined>
}
