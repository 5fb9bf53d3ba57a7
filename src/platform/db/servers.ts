/** The servers that an address stands for, and how long each may take to answer. */
export type Servers = { urls: string[]; timeoutMs: number }

const defaultTimeoutMs = 10_000
/** As libpq does, because name resolution counts. */
const leastTimeoutMs = 2_000

/** A URL of PostgreSQL: what precedes the hosts, the hosts, what follows up to the parameters, and those. */
const parts = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^?#]*)\??([^#]*)/i

/** One URL for each host of a URL of PostgreSQL, which may list several: `postgres://a:5432,b:5432/trivet`. */
export const serversOf = (url: string): Servers => {
  const [, start = url, authority = '', path = '', query = ''] = parts.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  const seconds = Number(parameters.get('connect_timeout') || 0)
  const timeoutMs = seconds > 0 ? Math.max(seconds * 1000, leastTimeoutMs) : defaultTimeoutMs
  const hosts = (parameters.get('host') ?? '').split(',')
  const ports = (parameters.get('port') ?? '').split(',')
  const authorities = authority.split(',')
  const count = Math.max(hosts.length, authorities.length)
  if (count === 1) return { urls: [url], timeoutMs }
  const urls = Array.from({ length: count }, (_, n) => {
    const own = new URLSearchParams(parameters)
    const port = ports[n] ?? ports[0]
    if (hosts[n]) own.set('host', hosts[n])
    if (port) own.set('port', port)
    return `${start}${authorities[n] ?? authorities[0]}${path}${own.size > 0 ? `?${own}` : ''}`
  })
  return { urls, timeoutMs }
}

/** None of several servers can be used; says of each why. */
export class NoServer extends Error {
  override readonly name = 'NoServer'
  readonly code = '08001'
  readonly failures: { url: string; error: unknown }[]
  constructor(failures: { url: string; error: unknown }[]) {
    super('No server can be used', { cause: failures.map(({ error }) => error) })
    this.failures = failures
  }
}

/** After this time without an answer the next server is tried beside. */
const impatienceMs = 1_000

/** Tries servers in turn, and returns the first that answers. What others answer later is passed to `discard`. */
export const firstOf = <T>(
  { urls }: Servers,
  open: (url: string) => Promise<T>,
  discard: (late: T) => void,
): Promise<T> => {
  if (urls.length === 1) return open(urls[0]!)
  return new Promise((resolve, reject) => {
    const failures: { url: string; error: unknown }[] = []
    let isSettled = false
    let tried = 0
    const tryNext = () => {
      const url = urls[tried]
      if (isSettled || url === undefined) return
      const own = ++tried
      const impatience = setTimeout(tryNext, impatienceMs)
      const next = () => own === tried && tryNext()
      open(url).then(
        (opened) => {
          clearTimeout(impatience)
          if (isSettled) return discard(opened)
          isSettled = true
          resolve(opened)
        },
        (error) => {
          clearTimeout(impatience)
          failures.push({ url, error })
          if (failures.length === urls.length) reject(new NoServer(failures))
          else next()
        },
      )
    }
    tryNext()
  })
}
