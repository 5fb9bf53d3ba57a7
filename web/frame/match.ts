const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What an address says in the places of a pattern such as `/buckets/:bucketId/:tab?`; null if it does not match. */
export const matchPath = (pattern: string, path: string): Record<string, string> | null => {
  const wanted = pattern.split('/').filter(Boolean)
  const given = path.split('/').filter(Boolean)
  if (given.length > wanted.length) return null
  const params: Record<string, string> = {}
  for (const [n, part] of wanted.entries()) {
    const value = given[n]
    if (!part.startsWith(':')) {
      if (part !== value) return null
    } else if (value !== undefined) params[part.replace(/^:|\?$/g, '')] = decoded(value)
    else if (!part.endsWith('?')) return null
  }
  return params
}
