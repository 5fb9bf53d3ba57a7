/**
 * The path of an object. Clients resolve segments of one or two dots, encoded or not. If a key has such a segment, its
 * slashes are encoded, too; nothing helps a key that consists of dots alone.
 */
export const pathOfKey = (key: string) => {
  const segments = key.split('/')
  return segments.length > 1 && segments.some((segment) => segment === '.' || segment === '..')
    ? encodeURIComponent(key)
    : segments.map(encodeURIComponent).join('/')
}

export const pathOfObject = (bucketId: string, key: string) =>
  `/buckets/${bucketId}/objects/${pathOfKey(key)}`
