import { useLocation } from 'preact-iso'

type Changes = Record<string, string | number | boolean | null | undefined>

/** The address with other parameters; those that are null, empty or false are left out. */
export const withQuery = (address: string, changes: Changes) => {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === undefined || value === '' || value === false) searchParams.delete(name)
    else searchParams.set(name, String(value))
  const query = searchParams.toString()
  return query ? `${pathname}?${query}` : pathname
}

/** The parameters of the address, and a function that changes some of them: the state of lists is in the address. */
export const useQueryParams = () => {
  const { query, route } = useLocation()
  const change = (changes: Changes, { push = false } = {}) =>
    route(withQuery(location.pathname + location.search, changes), !push)
  return [query, change] as const
}

/** One parameter of the address. A change of what is listed begins again at the first page. */
export const useQueryState = (name: string, initial = '') => {
  const [query, change] = useQueryParams()
  const set = (value: string) =>
    change({
      [name]: value === initial ? null : value,
      ...(name === 'page' || name === 'cursor' ? {} : { page: null, cursor: null }),
    })
  return [query[name] ?? initial, set] as const
}
