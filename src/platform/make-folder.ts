import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './errors.ts'

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/**
 * Makes a folder and those above it; returns the first that was made, if any. Node's `recursive` does not return where a
 * folder exists but takes no others, such as /proc.
 */
export const makeFolder = async (path: string, mode = 0o777): Promise<string | undefined> => {
  try {
    await mkdir(path, { mode })
    return path
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return undefined
    if (codeOf(error) !== 'ENOENT' || (await exists(dirname(path)))) throw error
    const made = await makeFolder(dirname(path), mode)
    const own = await makeFolder(path, mode)
    return made ?? own
  }
}
