import { absent, type Oracle } from './oracle.ts'
import { inParallel } from './parallel.ts'
import type { Random } from './random.ts'
import type { Traffic } from './traffic.ts'
import type { Workload } from './workload.ts'

type Post = { id: number; content: string; like_count: number }
const writers = 3
/** Access tokens expire after 15 minutes, so what needs one is checked before. */
const tokenMs = 10 * 60_000

/** With new accounts: posts by token and by API key, edits posts, and likes posts that all accounts like. */
export const publishingWorkload = async (
  { send, once, must }: Traffic,
  oracle: Oracle,
  random: Random,
): Promise<Workload> => {
  const openedAt = new Date()
  let serial = 0

  const register = async (name: string) => {
    const handle = `${name}_${crypto.randomUUID().slice(0, 8)}`
    const account = { email: `${handle}@example.com`, password: 'correct horse', handle, username: name }
    const { data } = (await must('publishing', 'POST /api/auth/register', { body: account })).body
    const bearer = { authorization: `Bearer ${data.accessToken}` }
    const body = { name: 'faults', daily_post_limit: 1000 }
    const created = await must('publishing', 'POST /api/developer/keys', { headers: bearer, body })
    return { handle, bearer, key: { 'x-api-key': created.body.data.key as string } }
  }
  const accounts = await Promise.all(Array.from({ length: writers }, (_, n) => register(`writer${n}`)))
  const liked: number[] = []
  for (const { bearer } of accounts) {
    const body = { content: 'Liked by all' }
    liked.push(
      (await must('publishing', 'POST /api/posts', { headers: bearer, body })).body.data.post.id as number,
    )
  }

  const worker = (node: number) => {
    const { bearer, key, handle } = accounts[node]!
    const own: { id: number; marker: string }[] = []

    const post = async () => {
      const [by, headers] = random.pick([['key', key] as const, ['token', bearer] as const])
      const marker = `${handle}-${by}-${++serial}`
      const request = random.pick([send, send, once])
      const body = { content: `${marker} first` }
      const answer = await oracle.effect(`post ${marker}`, () =>
        request('publishing', 'POST /api/posts', { headers, node, body, expect: [201] }),
      )
      if (answer.outcome !== 'done') return answer
      own.push({ id: answer.body.data.post.id, marker })
      return oracle.change(`content ${answer.body.data.post.id}`, body.content, async () => answer)
    }
    const edit = () => {
      const target = random.pick(own.filter(({ id }) => oracle.isSettled(`content ${id}`)))
      if (!target) return post()
      const body = { content: `${target.marker} edit${++serial}` }
      return oracle.change(`content ${target.id}`, body.content, () =>
        send('publishing', `PATCH /api/posts/${target.id}`, { headers: bearer, node, body, expect: [200] }),
      )
    }
    const like = () => {
      const id = random.pick(liked.filter((id) => oracle.isSettled(`like ${id} ${handle}`)))
      if (!id) return post()
      const name = `like ${id} ${handle}`
      const isLiked = oracle.known(name) === 'liked'
      return oracle.change(name, isLiked ? absent : 'liked', () =>
        send('publishing', `${isLiked ? 'DELETE' : 'POST'} /api/posts/${id}/like`, { headers: bearer, node }),
      )
    }
    const actions = [post, post, post, edit, like]
    return () => random.pick(actions)()
  }

  const postsOf = async (handle: string) => {
    const all: Post[] = []
    for (let page = 1; ; page++) {
      const { data, meta } = (
        await must('publishing', `GET /api/users/${handle}/posts?limit=100&page=${page}`)
      ).body
      all.push(...data.posts)
      if (!meta.hasNext) return { posts: all, total: meta.total as number }
    }
  }
  const markerOf = ({ content }: Post) => content.split(' ')[0]!

  const checkAccount = async ({ handle, bearer }: (typeof accounts)[number]) => {
    const written = async () => (await postsOf(handle)).posts.filter(({ id }) => !liked.includes(id))
    await oracle.judgeEffects(`post ${handle}-`, async () =>
      (await written()).map((post) => ({ marker: `post ${markerOf(post)}`, whole: true })),
    )
    const { posts, total } = await postsOf(handle)
    await oracle.judgeCount(`post_count of ${handle}`, async () => {
      const { post_count } = (await must('publishing', `GET /api/users/${handle}`)).body.data
      return { counted: [post_count, total], expected: [posts.length, posts.length] }
    })
    if (Date.now() - openedAt.getTime() > tokenMs || openedAt.getUTCDate() !== new Date().getUTCDate()) return
    await oracle.judgeCount(`posts_today of the key of ${handle}`, async () => {
      const { keys } = (await must('publishing', 'GET /api/developer/keys', { headers: bearer })).body.data
      const byKey = posts.filter((post) => markerOf(post).startsWith(`${handle}-key-`))
      return { counted: keys[0].posts_today, expected: byKey.length }
    })
  }

  const read = (node: number) =>
    send('publishing', `GET /api/users/${accounts[0]!.handle}/posts?page=2`, { node })

  const check = async () => {
    await inParallel(accounts, checkAccount)
    await inParallel(oracle.names('content '), (name) =>
      oracle.judgeState(name, async () => {
        const call = `GET /api/posts/${name.slice('content '.length)}`
        const { status, body } = await must('publishing', call, { expect: [200, 404] })
        return status === 404 ? absent : body.data.content
      }),
    )
    for (const id of liked) {
      const read = async () => (await must('publishing', `GET /api/posts/${id}/likes?limit=100`)).body
      const likers = async () => (await read()).data.users.map(({ handle }: { handle: string }) => handle)
      for (const { handle } of accounts)
        await oracle.judgeState(`like ${id} ${handle}`, async () =>
          (await likers()).includes(handle) ? 'liked' : absent,
        )
      await oracle.judgeCount(`like_count of post ${id}`, async () => {
        const { like_count } = (await must('publishing', `GET /api/posts/${id}`)).body.data
        const { data, meta } = await read()
        return { counted: [like_count, meta.total], expected: [data.users.length, data.users.length] }
      })
    }
  }
  return { workers: accounts.map((_, node) => worker(node)), read, check }
}
