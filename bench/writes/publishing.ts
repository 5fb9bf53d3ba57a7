import type { Request } from '../load.ts'
import { call, type Trivet } from '../system.ts'

const accounts = 8

type Session = { data: { accessToken: string } }

/** New posts of eight accounts, and of one alone. */
export const publishingRequests = async ({ urls: { publishing } }: Trivet) => {
  const api = `${publishing}/api`
  const posts: Request[] = []
  for (let n = 0; n < accounts; n++) {
    const { data } = (await call('POST', `${api}/auth/register`, {
      email: `writes${n}@example.com`, password: 'bench-bench', handle: `writes${n}`, username: `Writes ${n}`,
    })) as Session // biome-ignore format: one line
    posts.push({
      url: `${api}/posts`,
      method: 'POST',
      headers: { authorization: `Bearer ${data.accessToken}` },
      body: JSON.stringify({
        content: `A post of ordinary length by account ${n}, with a #tag and some words`,
      }),
    })
  }
  return { ofAll: posts, ofOne: posts.slice(0, 1) }
}
