import { execFileSync } from 'node:child_process'

/** Mounts a small disk at a folder and returns true, or false if that is not permitted; `tidying` unmounts it. */
export const mountSmallDisk = (folder: string, megabytes: number, tidying: (() => unknown)[]) => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    return false
  }
  // A process that has just been told to end may still have files open there.
  tidying.unshift(() => execFileSync('umount', ['--lazy', folder]))
  return true
}
