import { invalid } from '#platform/errors.ts'

const matches = (pattern: string, type: string) =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

/** The types that patterns such as `order.*` stand for. One that stands for none is refused with the name of the field. */
export const typesOf = (known: readonly string[], patterns: readonly string[], field: string) => {
  const found = new Set<string>()
  patterns.forEach((pattern, n) => {
    const types = known.filter((type) => matches(pattern, type))
    if (types.length === 0)
      invalid(field, `must not contain the unknown type ${JSON.stringify(pattern)} (number ${n + 1})`)
    for (const type of types) found.add(type)
  })
  return known.filter((type) => found.has(type))
}
