/** Content codings that we send, the preferred one first. `identity` is none. */
const encodings = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof encodings)[number]

/** Smaller responses gain nothing: they fit into one packet either way. */
export const minCompressedBytes = 1024

/** What one `Accept-Encoding` header means for a response that is worth compressing, and for one that is not. */
type Choice = { large: Encoding; small: Encoding }

/** The weight of each name in the header. A weight that cannot be read counts as none given. */
const weightsIn = (header: string) =>
  new Map(
    header
      .toLowerCase()
      .split(',')
      .map((item) => {
        const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
        const weight = parameters
          .map((each) => /^q\s*=\s*([01](?:\.\d{0,3})?)$/.exec(each)?.[1])
          .find(Boolean)
        return [name, Number(weight ?? 1)] as const
      }),
  )

/** What is not named is acceptable, but less welcome than anything that is. */
const unnamed = 0.0001

const choose = (header: string): Choice => {
  const weights = weightsIn(header)
  const weightOf = (name: Encoding) =>
    weights.get(name) ?? weights.get('*') ?? (name === 'identity' ? unnamed : 0)
  const large = encodings.reduce((best, name) => (weightOf(name) > weightOf(best) ? name : best))
  if (weightOf(large) === 0) return { large: 'identity', small: 'identity' }
  return { large, small: weightOf('identity') > 0 ? 'identity' : large }
}

/** Clients send the same few headers again and again. */
const choices = new Map<string, Choice>()
const maxChoices = 200
const maxRemembered = 200

const choiceFor = (header: string) => {
  const known = choices.get(header)
  if (known) return known
  const choice = choose(header)
  if (choices.size >= maxChoices) choices.clear()
  if (header.length <= maxRemembered) choices.set(header, choice)
  return choice
}

/** The encoding for a response of this size. If a client refuses everything we have, it gets the plain response. */
export const chosenEncoding = (
  header: string | string[] | undefined,
  size = Number.POSITIVE_INFINITY,
): Encoding => {
  if (header === undefined) return 'identity'
  const { large, small } = choiceFor(String(header))
  return size < minCompressedBytes ? small : large
}

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml|[\w.-]+\+(?:json|xml))|image\/svg\+xml)/

/** Whether compressing helps with this type of content. */
export const isCompressible = (type: unknown) => typeof type === 'string' && compressible.test(type)

/** `Vary` for a response that is sent in several encodings. */
export const varyByEncoding = (vary: unknown): string => {
  if (typeof vary !== 'string' || vary === '') return 'Accept-Encoding'
  return /accept-encoding/i.test(vary) ? vary : `${vary}, Accept-Encoding`
}

/** Other bytes need another entity tag. */
export const tagIn = (etag: string, encoding: Encoding) =>
  encoding === 'identity' ? etag : etag.replace(/"$/, `-${encoding}"`)
