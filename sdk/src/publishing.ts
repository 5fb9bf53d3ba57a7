import { createServiceClient, type ServiceClient } from './client.ts'
import type { paths } from './generated/publishing.ts'
import type { ClientOptions } from './send.ts'

/** The tokens of a signed-in account. The refresh token is replaced each time it is used: keep the newest. */
export type PublishingTokens = { accessToken: string; refreshToken: string }

export type PublishingOptions = ClientOptions & {
  /** Instead of `token`: renewed when the access token expires. */
  tokens?: PublishingTokens
  /** Called with the tokens that replace the former ones. */
  onTokens?(tokens: PublishingTokens): void
}

export type PublishingClient = ServiceClient<paths>

const refreshEarlyMs = 30_000

/** When a token expires, by its own words; never if it does not say. */
const expiryOf = (token: string) => {
  try {
    const [, payload = ''] = token.split('.')
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return Number(exp) * 1000
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Returns a current access token, and renews it shortly before it expires: once, however many requests wait for it. */
const renewing = ({ baseUrl, fetch, tokens, onTokens }: PublishingOptions) => {
  let current = tokens as PublishingTokens
  let renewal: Promise<void> | null = null
  const renew = async () => {
    const { client } = createServiceClient<paths>({ baseUrl, ...(fetch ? { fetch } : {}) }, { events: '' })
    const { data } = await client.POST('/api/auth/refresh', { body: { refreshToken: current.refreshToken } })
    const { accessToken, refreshToken } = data.data
    current = { accessToken, refreshToken }
    onTokens?.(current)
  }
  return async () => {
    if (Date.now() > expiryOf(current.accessToken) - refreshEarlyMs) {
      renewal ??= renew().finally(() => {
        renewal = null
      })
      await renewal
    }
    return current.accessToken
  }
}

/** A client of a publishing service. */
export const createPublishing = (options: PublishingOptions): PublishingClient => {
  const { tokens, onTokens, ...rest } = options
  if (tokens && (rest.token || rest.apiKey))
    throw new TypeError('Either tokens, a token or an API key can be given')
  const authorized = tokens ? { ...rest, token: renewing(options) } : rest
  return createServiceClient<paths>(authorized, { events: '/api/events' }).client
}
