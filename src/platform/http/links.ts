/** `Link` to the next page of a list (RFC 8288): the same request with these parameters; null leaves one out. */
export const linkToNext = (
  { originalUrl }: { originalUrl: string },
  changes: Record<string, string | number | null>,
) => {
  const [, search = ''] = originalUrl.split('?', 2)
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes))
    if (value === null) query.delete(name)
    else query.set(name, String(value))
  return `<?${query}>; rel="next"`
}
