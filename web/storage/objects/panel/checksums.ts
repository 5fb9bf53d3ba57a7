type Checksum = { algorithm: string; value: string; type: string } | null

const hex = (base64: string) => {
  try {
    return Array.from(atob(base64), (character) =>
      character.charCodeAt(0).toString(16).padStart(2, '0'),
    ).join('')
  } catch {
    return base64
  }
}

const names: Record<string, string> = { SHA256: 'SHA-256', SHA1: 'SHA-1' }

/** What a content can be compared with. The entity tag is an MD5, unless the object was made of parts. */
export const checksumsOf = (etag: string, checksum: Checksum): [name: string, value: string][] => {
  const tag = etag.replaceAll('"', '')
  const list: [string, string][] = [[/^[0-9a-f]{32}$/.test(tag) ? 'MD5' : 'ETag', tag]]
  if (!checksum) return list
  const { algorithm, value, type } = checksum
  const name = names[algorithm] ?? algorithm
  // A checksum of checksums has the number of parts behind it.
  const shown = type === 'FULL_OBJECT' ? hex(value) : value
  return [...list, [type === 'FULL_OBJECT' ? name : `${name} of parts`, shown]]
}
