import { opendir, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { OperatorError } from '#platform/errors.ts'

export type LocalFile = { path: string; name: string; size: number; changedAt: number }

/** Every file below a folder, by its path relative to it with slashes. Links are followed; sockets and devices are left out. */
export async function* filesBelow(folder: string): AsyncGenerator<LocalFile, void> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) continue
    const found = await stat(path).catch(() => null)
    if (!found?.isFile() || isPartial(entry.name)) continue
    const name = relative(folder, path).split(sep).join('/')
    yield { path, name, size: found.size, changedAt: found.mtimeMs }
  }
}

/** A file that a download writes until it is complete. */
export const partialOf = (path: string, etag: string) =>
  `${path}.${etag.replace(/[^0-9a-f-]/g, '')}.trivet-part`
const isPartial = (name: string) => name.endsWith('.trivet-part')

/** Where a key is stored below a folder. A key such as `../../etc/passwd` must not reach outside of it. */
export const pathBelow = (folder: string, name: string) => {
  const path = resolve(folder, ...name.split('/'))
  const inside = relative(resolve(folder), path)
  const isStrange = name.startsWith('/') || name.split('/').some((part) => ['', '.', '..'].includes(part))
  if (isStrange || inside.startsWith('..') || isAbsolute(inside) || inside === '')
    throw new OperatorError('its key is not a path that a file can have')
  return path
}

export const statOf = async (path: string) => {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new OperatorError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
