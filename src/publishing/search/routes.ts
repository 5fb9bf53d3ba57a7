import { Named, OneOf } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, viewer } from '../access.ts'
import { OkPage, okPage } from '../envelope.ts'
import { pageFields } from '../paging.ts'
import { Post } from '../posts/schema.ts'
import { Profile } from '../profiles/schema.ts'
import { search as find } from './search.ts'

const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 280, description: 'Words or parts of words, in any order' }),
  type: OneOf(['post', 'user', 'hashtag'], { default: 'post' }),
  ...pageFields,
})

const Hashtag = Named('Hashtag', { tag: Type.String(), post_count: Type.Integer() })

export const search: Module = (app, ctx) => {
  app.get(
    '/api/search',
    {
      schema: {
        operationId: 'search',
        summary: 'Search',
        description:
          'Finds public posts, accounts or hashtags, newest first; `type` says which. Words match in any ' +
          'order, and parts of words match too; a leading `#` or `@` is dropped. At most 100 searches from ' +
          'one address in 15 minutes.',
        tags: ['Search'],
        querystring: SearchQuery,
        response: {
          200: OkPage(
            Type.Object({
              posts: Type.Array(Post),
              users: Type.Optional(Type.Array(Profile, { description: 'With type=user' })),
              hashtags: Type.Optional(Type.Array(Hashtag, { description: 'With type=hashtag' })),
            }),
          ),
        },
      },
      config: { access: 'reader', limit: 'search' },
    },
    async (req) => {
      const { data, total } = await find(ctx, viewer(req), req.query)
      return okPage(data, req.query, total)
    },
  )
}
