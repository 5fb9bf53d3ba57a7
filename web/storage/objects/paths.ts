/** Keys are flat; slashes make them look like files in folders. A folder is a prefix that ends with a slash, or ''. */

export const folderOf = (key: string) => key.slice(0, key.lastIndexOf('/') + 1)

/** The last part of a key or folder, without the slash of a folder. */
export const nameOf = (key: string) => {
  const path = key.endsWith('/') ? key.slice(0, -1) : key
  return path.slice(path.lastIndexOf('/') + 1)
}

export const isFolder = (key: string) => key.endsWith('/')

/** What a folder is called where its name is empty, as in `a//b`. */
export const shownName = (key: string) => nameOf(key) || '(no name)'

export type Crumb = { name: string; prefix: string }

/** The folders on the way to a prefix, the prefix itself last. */
export const crumbsOf = (prefix: string): Crumb[] => {
  const crumbs: Crumb[] = []
  for (let at = prefix.indexOf('/'); at >= 0; at = prefix.indexOf('/', at + 1)) {
    const folder = prefix.slice(0, at + 1)
    crumbs.push({ name: shownName(folder), prefix: folder })
  }
  return crumbs
}

/** Where something goes that is moved or copied into another folder: it keeps its name. */
export const keyIn = (folder: string, key: string) => `${folder}${nameOf(key)}${isFolder(key) ? '/' : ''}`

/** The same place under another name. */
export const renamed = (key: string, name: string) => {
  const parent = folderOf(isFolder(key) ? key.slice(0, -1) : key)
  return `${parent}${name}${isFolder(key) ? '/' : ''}`
}

const longestKey = 1024

/** What is wrong with a key, in words; null if nothing is. The server has the last word. */
export const faultOfKey = (key: string): string | null => {
  if (key === '') return 'must not be empty'
  if ([...key].length > longestKey) return `must have at most ${longestKey} characters`
  if (/\p{Cc}/u.test(key)) return 'must not contain control characters'
  return null
}

/** What is wrong with the name of a folder or file. */
export const faultOfName = (name: string, folder = '') => {
  if (name.includes('/')) return 'must not contain a slash'
  if (name === '.' || name === '..') return 'must be more than dots'
  return faultOfKey(name) ?? faultOfKey(`${folder}${name}/`)
}
