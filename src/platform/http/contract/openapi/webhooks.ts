import type { Service } from '../../service.ts'
import { type Json, withPlainRecords } from './schemas.ts'

const headers = [
  [
    'webhook-id',
    'The id of the event: the same in every attempt.',
    'evt_01a1e039-6806-7000-ad0f-f002d2322e3d',
  ],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970.', '1763208000'],
  [
    'webhook-signature',
    'One or two signatures, separated by a space: `v1,` and the Base64 of HMAC-SHA256 of `id.timestamp.body`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const

const nameOf = (type: string) =>
  type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The `webhooks` of a document: what is sent to webhooks when something happens, for each type. */
export const webhooksOf = ({ eventTypes = {} }: Service): Json =>
  Object.fromEntries(
    Object.entries(eventTypes).map(([type, { about, data }]) => [
      type,
      {
        post: {
          operationId: `on${nameOf(type)}`,
          summary: about,
          tags: ['Webhooks'],
          // They are signed instead.
          security: [],
          parameters: headers.map(([name, description, example]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
            example,
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['id', 'type', 'created_at', 'subject', 'data'],
                  properties: {
                    id: { type: 'string', examples: ['evt_01a1e039-6806-7000-ad0f-f002d2322e3d'] },
                    type: { const: type },
                    created_at: { type: 'string', format: 'date-time' },
                    subject: { type: 'string', description: 'Kind and id of what it is about' },
                    data: withPlainRecords(data),
                  },
                },
              },
            },
          },
          responses: {
            '2XX': { description: 'It was received. Anything else, or nothing within 10 s, is tried again.' },
            410: { description: 'Nothing more is wanted here: the webhook is switched off.' },
          },
        },
      },
    ]),
  )
