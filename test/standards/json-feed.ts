const text = { type: 'string', minLength: 1 }
const uri = { type: 'string', format: 'uri' }
const time = { type: 'string', format: 'date-time' }

const author = {
  type: 'object',
  properties: { name: text, url: uri, avatar: uri },
  anyOf: ['name', 'url', 'avatar'].map((field) => ({ required: [field] })),
  additionalProperties: false,
}

/** https://www.jsonfeed.org/version/1.1/, as far as our feeds use it; fields that it does not have are refused. */
export const jsonFeedSchema = {
  type: 'object',
  required: ['version', 'title', 'items'],
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: text,
    home_page_url: uri,
    feed_url: uri,
    next_url: uri,
    description: text,
    language: text,
    icon: uri,
    authors: { type: 'array', items: author },
    hubs: {
      type: 'array',
      items: { type: 'object', required: ['type', 'url'], properties: { type: text, url: uri } },
    },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'content_html'],
        properties: {
          id: text,
          url: uri,
          title: text,
          content_html: { type: 'string' },
          date_published: time,
          date_modified: time,
          authors: { type: 'array', items: author },
          tags: { type: 'array', items: text },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}
