import { Id, PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { pageFields } from '../lists.ts'
import { Message } from '../schema.ts'
import * as counts from './counts.ts'
import { countRefusals } from './refusals.ts'
import {
  Count, CountLine, CountLines, CountQuery, Entries, LineQuery, NewCount, Status, StatusChange, UncountedList, UncountedQuery,
} from './schema.ts' // biome-ignore format: one list

const tags = ['Counts']
const staff = { access: 'staff' } as const
const entriesLimit = 16 * 1024 * 1024

export const countRoutes: Module = (app, ctx) => {
  app.get(
    '/api/counts',
    {
      schema: {
        operationId: 'listCounts',
        summary: 'List stock counts',
        description: 'Returns counts, newest first. Filter by status and warehouse.',
        tags,
        querystring: CountQuery,
        response: { 200: Type.Object({ counts: Type.Array(Count), ...pageFields }) },
      },
      config: staff,
    },
    (req) => counts.listCounts(ctx, who(req), req.query),
  )

  app.post(
    '/api/counts',
    {
      schema: {
        operationId: 'openCount',
        summary: 'Open a stock count',
        description:
          'Opens a session in which people count what a warehouse holds, the default one if none is given, ' +
          'of a category with those below it, or of everything. Every role may count.',
        tags,
        body: NewCount,
        response: { 201: Count },
      },
      config: { ...staff, idempotent: true, refuses: [404], created: '/api/counts/{id}' },
    },
    async (req, reply) => {
      reply.code(201)
      return counts.openCount(ctx, who(req), req.body)
    },
  )

  app.get(
    '/api/counts/:id',
    {
      schema: {
        operationId: 'getCount',
        summary: 'Get a stock count',
        description: 'Returns a count: what is counted, how far it is, and who opened and closed it.',
        tags,
        params: PathId,
        response: { 200: Count },
      },
      config: staff,
    },
    (req) => counts.readCount(ctx, who(req), req.params.id),
  )

  app.post(
    '/api/counts/:id/entries',
    {
      bodyLimit: entriesLimit,
      schema: {
        operationId: 'enterCount',
        summary: 'Enter what was counted',
        description:
          'Adds to what was counted of products and batches, or replaces it. Several people may enter at ' +
          'once. Products that are tracked by serial number are counted by their `serials`. The response ' +
          'has the lines concerned, without what the ledger says. Every role may count.',
        tags,
        params: PathId,
        body: Entries,
        response: { 201: Type.Object({ lines: Type.Array(CountLine) }) },
      },
      config: { ...staff, idempotent: true },
    },
    async (req, reply) => {
      reply.code(201)
      return counts.enterCount(ctx, who(req), req.params.id, req.body)
    },
  )

  app.get(
    '/api/counts/:id/lines',
    {
      schema: {
        operationId: 'listCountLines',
        summary: 'List counted lines',
        description:
          'Returns what was counted. While the count is open nobody sees what the ledger said; in review, ' +
          'Admins and Managers see it with the differences, and once it is posted everybody does. `summary` ' +
          'is what all of these lines add up to, at the average costs of now.',
        tags,
        params: PathId,
        querystring: LineQuery,
        response: { 200: CountLines },
      },
      config: staff,
    },
    (req) => counts.listLines(ctx, who(req), req.params.id, req.query),
  )

  app.delete(
    '/api/counts/:id/lines/:lineId',
    {
      schema: {
        operationId: 'deleteCountLine',
        summary: 'Remove a counted line',
        description:
          'Takes a line out, as if it had not been counted. Every role may do this while the count is open; ' +
          'while it is reviewed, Admins and Managers may.',
        tags,
        params: Type.Object({ id: Id, lineId: Id }),
        response: { 200: Message },
      },
      config: { ...staff, idempotent: true, refuses: [400] },
    },
    (req) => counts.removeLine(ctx, who(req), req.params.id, req.params.lineId),
  )

  app.get(
    '/api/counts/:id/uncounted',
    {
      schema: {
        operationId: 'listUncounted',
        summary: 'List what was not counted',
        description:
          'Returns the products of the count that are on hand and have no line. Posting leaves them as they ' +
          'are. How many units are on hand is shown to whoever sees the differences.',
        tags,
        params: PathId,
        querystring: UncountedQuery,
        response: { 200: UncountedList },
      },
      config: staff,
    },
    (req) => counts.listUncounted(ctx, who(req), req.params.id, req.query),
  )

  app.patch(
    '/api/counts/:id/status',
    {
      schema: {
        operationId: 'changeCountStatus',
        summary: "Change a count's status",
        description:
          'Moves a count on: from open to review; from review back to open, or to posted; from either to ' +
          'cancelled. Posting adds a movement for each difference to what the ledger said when the line was ' +
          'counted, so stock may move meanwhile. Reservations that are not covered any more become ' +
          'backorders, the newest first. Any other move is refused with 400. Admins and Managers may do this.',
        tags,
        params: PathId,
        body: StatusChange,
        response: { 200: Type.Object({ message: Type.String(), status: Status }) },
      },
      config: { access: 'manager', idempotent: true },
    },
    (req) => counts.changeStatus(ctx, who(req), req.params.id, req.body.status),
  )
}
countRoutes.refusals = countRefusals
