import type { Request } from '../load.ts'
import { call, type Trivet } from '../system.ts'

const accounts = 20
const postsEach = 20
const mixLength = 1000

type Session = { data: { accessToken: string } }
type NewPost = { data: { post: { id: number } } }

/** Twenty accounts with twenty posts each. Of twenty requests one is a new post, and one likes or unlikes a post. */
export const publishingRequests = async ({ urls: { publishing } }: Trivet) => {
  const api = `${publishing}/api`
  const tokens: Record<string, string>[] = []
  const posts: number[] = []
  for (let n = 0; n < accounts; n++) {
    const account = {
      email: `mix${n}@example.com`,
      password: 'bench-bench',
      handle: `mix${n}`,
      username: `Mix ${n}`,
    }
    const { data } = (await call('POST', `${api}/auth/register`, account)) as Session
    const headers = { authorization: `Bearer ${data.accessToken}` }
    tokens.push(headers)
    for (let m = 0; m < postsEach; m++) {
      const content = `Post ${m} of ordinary length, with a #tag and some words`
      posts.push(((await call('POST', `${api}/posts`, { content }, headers)) as NewPost).data.post.id)
    }
  }
  const tokenOf = (n: number) => tokens[n % accounts] as Record<string, string>
  const postAt = (n: number) => `${api}/posts/${posts[(n * 7) % posts.length]}`
  const post = (n: number): Request => ({ url: postAt(n) })
  const profile = (n: number): Request => ({ url: `${api}/users/mix${n % accounts}` })
  const feed = (n: number): Request => ({ url: `${api}/users/mix${n % accounts}/feed.rss` })
  const write = (n: number): Request => ({
    url: `${api}/posts`,
    method: 'POST',
    headers: { ...tokenOf(n), 'content-type': 'application/json' },
    body: JSON.stringify({ content: `A new post of ordinary length, number ${n} of them` }),
  })
  const like = (n: number): Request => ({
    url: `${postAt(n)}/like`,
    method: n % 40 === 9 ? 'POST' : 'DELETE',
    headers: tokenOf(n),
  })
  const mix = Array.from({ length: mixLength }, (_, n) => {
    if (n % 20 === 19) return write(n)
    if (n % 20 === 9) return like(n)
    if (n % 5 === 3) return profile(n)
    return n % 5 === 1 ? feed(n) : post(n)
  })
  return { post: post(0), feed: feed(0), mix }
}
