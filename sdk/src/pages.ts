/** What a list contains: the elements of the array that a page is, or that is in it. */
export type ItemOf<Page> = Page extends readonly (infer Item)[]
  ? Item
  : Page extends { data: infer Data }
    ? ItemOf<Data>
    : { [Name in keyof Page]-?: Page[Name] extends readonly (infer Item)[] ? Item : never }[keyof Page]

type Query = Record<string, string>
type Get = (path: string, init: object) => Promise<{ data?: unknown; response: Response }>

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The one array of a page, whatever it is called; publishing has it in `data`. */
const itemsOf = (page: unknown): unknown[] => {
  if (Array.isArray(page)) return page
  if (!isObject(page)) return []
  return 'success' in page ? itemsOf(page.data) : (Object.values(page).find(Array.isArray) ?? [])
}

/** The query of the page that `Link: <?page=2>; rel="next"` names. */
const nextOf = (response: Response): Query | null => {
  const [, target] = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  return target === undefined ? null : Object.fromEntries(new URL(target, response.url).searchParams)
}

/** Reads a list page by page, each one when it is needed. */
export async function* readPages(get: Get, path: string, init: object = {}): AsyncGenerator<unknown, void> {
  const { params = {}, ...rest } = init as { params?: { query?: object } }
  for (let query: object | null | undefined = params.query; query !== null; ) {
    const { data, response } = await get(path, { ...rest, params: { ...params, query } })
    yield* itemsOf(data)
    query = nextOf(response)
  }
}
