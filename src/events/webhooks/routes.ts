import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceName } from '#platform/config.ts'
import type { App } from '#platform/http/app.ts'
import { countAgainst } from '#platform/http/request/count-against.ts'
import type { Limit } from '#platform/limits/limits.ts'
import type { Platform } from '#platform/platform.ts'
import { Type } from '#platform/type/type.ts'
import type { Events, Reader } from '../events.ts'
import {
  Accepted, CreatedWebhook, Delivery, DeliveryFilter, DeliveryPath, NewWebhook, Replay, Replayed, RotatedSecret,
  TestResult, Webhook, WebhookChange, WebhookPath,
} from './schema.ts' // biome-ignore format: one list
import type { Webhooks } from './webhooks.ts'

/** A test makes a request to any address, and may wait 10 s for its response. */
const testsOf = (service: ServiceName): Limit => ({
  name: `${service}.webhook-tests`,
  max: 10,
  windowSeconds: 60,
})

/** Managing webhooks, where the service has them. */
export const webhookRoutes = <Context extends Platform, Who extends Reader>(
  app: App,
  ctx: Context,
  service: ServiceName,
  events: Events<Context, Who>,
  webhooks: Webhooks<Who>,
) => {
  const { path, access, tags, limitStatus, location, managers } = events.webhooks
  const described = (text: string) => (managers ? `${text} ${managers}` : text)
  const { envelope } = events
  const me = (req: unknown) => events.reader(ctx, req as FastifyRequest)
  const webhook = envelope.one('webhook', Webhook)
  const created = envelope.one('webhook', CreatedWebhook)
  const list = envelope.list('webhooks', Webhook)
  const deleted = envelope.deleted('webhook')

  app.post(
    path,
    {
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description: described(
          'Events of these types are sent to `url` from now on, signed by the Standard Webhooks specification with ' +
            '`secret`, which is shown only here. The address must be public and use https. At most 20.',
        ),
        tags,
        body: NewWebhook,
        response: { 201: created.schema },
      },
      config: { access, refuses: [limitStatus], created: location, showsSecret: true },
    },
    async (req, reply) => {
      reply.code(201)
      return created.wrap(await webhooks.create(await me(req), req.body))
    },
  )

  app.get(
    path,
    {
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: described('Returns all webhooks, oldest first, without their secrets.'),
        tags,
        response: { 200: list.schema },
      },
      config: { access },
    },
    async (req) => list.wrap(await webhooks.list(await me(req))),
  )

  app.get(
    `${path}/:id`,
    {
      schema: {
        operationId: 'getWebhook',
        summary: 'Get a webhook',
        description: described('Returns a webhook and whether it is on, without its secret.'),
        tags,
        params: WebhookPath,
        response: { 200: webhook.schema },
      },
      config: { access },
    },
    async (req) => webhook.wrap(await webhooks.read(await me(req), req.params.id)),
  )

  app.patch(
    `${path}/:id`,
    {
      schema: {
        operationId: 'changeWebhook',
        summary: 'Change a webhook',
        description: described(
          'Changes what is given. While a webhook is off nothing is queued for it; what it missed can be replayed. ' +
            'Switching it on continues with what was queued before.',
        ),
        tags,
        params: WebhookPath,
        body: WebhookChange,
        response: { 200: webhook.schema },
      },
      config: { access },
    },
    async (req) => webhook.wrap(await webhooks.change(await me(req), req.params.id, req.body)),
  )

  app.delete(
    `${path}/:id`,
    {
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: described('Nothing more is sent to it, and its deliveries are removed.'),
        tags,
        params: WebhookPath,
        response: { 200: deleted.schema },
      },
      config: { access },
    },
    async (req) => {
      await webhooks.remove(await me(req), req.params.id)
      return deleted.value(req.params.id)
    },
  )

  const rotated = envelope.one('webhook', RotatedSecret)
  app.post(
    `${path}/:id/rotate`,
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret',
        description: described('Returns a new secret. For 24 hours deliveries carry signatures of both.'),
        tags,
        params: WebhookPath,
        response: { 200: rotated.schema },
      },
      config: { access, showsSecret: true },
    },
    async (req) => rotated.wrap(await webhooks.rotate(await me(req), req.params.id)),
  )

  const tested = envelope.one('test', TestResult)
  app.post(
    `${path}/:id/test`,
    {
      schema: {
        operationId: 'testWebhook',
        summary: 'Test a webhook',
        description: described(
          'Sends an event of type `webhook.test` at once and returns what the receiver responded, at most ' +
            '10 times a minute.',
        ),
        tags,
        params: WebhookPath,
        response: { 200: tested.schema },
      },
      config: { access },
    },
    async (req, reply) => {
      const reader = await me(req)
      await countAgainst(ctx.limiter, testsOf(service), reader.owner, reply as unknown as FastifyReply)
      return tested.wrap(await webhooks.test(reader, req.params.id))
    },
  )

  const page = envelope.paged('deliveries', Delivery)
  app.get(
    `${path}/:id/deliveries`,
    {
      schema: {
        operationId: 'listDeliveries',
        summary: 'List deliveries',
        description: described(
          'Returns what was or is to be sent to a webhook, newest first, for 30 days by default.',
        ),
        tags,
        params: WebhookPath,
        querystring: Type.Object({ ...DeliveryFilter, ...page.query }),
        response: { 200: page.schema },
      },
      config: { access },
    },
    async (req) => {
      const query = req.query as { status?: string }
      const found = await webhooks.listDeliveries(
        await me(req),
        req.params.id,
        query.status,
        page.pageOf(query),
      )
      return page.wrap(found.deliveries, found.total, query)
    },
  )

  const accepted = envelope.one('delivery', Accepted)
  app.post(
    `${path}/:id/deliveries/:deliveryId/retry`,
    {
      schema: {
        operationId: 'retryDelivery',
        summary: 'Retry a delivery',
        description: described('Makes a delivery again, or at once if it waits for its next attempt.'),
        tags,
        params: DeliveryPath,
        response: { 202: accepted.schema },
      },
      config: { access, refuses: [409] },
    },
    async (req, reply) => {
      reply.code(202)
      return accepted.wrap(await webhooks.retry(await me(req), req.params.id, req.params.deliveryId))
    },
  )

  const replayed = envelope.one('replay', Replayed)
  app.post(
    `${path}/:id/replay`,
    {
      schema: {
        operationId: 'replayEvents',
        summary: 'Replay events',
        description: described('Sends the events after one, up to `until` if it is given, once more.'),
        tags,
        params: WebhookPath,
        body: Replay,
        response: { 202: replayed.schema },
      },
      config: { access, refuses: [409] },
    },
    async (req, reply) => {
      reply.code(202)
      return replayed.wrap(await webhooks.replay(await me(req), req.params.id, req.body))
    },
  )
}
