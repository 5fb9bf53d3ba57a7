import { execFileSync } from 'node:child_process'

/** Mounts a disk of so many megabytes at a folder, where we may; `tidying` unmounts it. */
export const mountSmallDisk = (folder: string, megabytes: number, tidying: (() => unknown)[]) => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    return false
  }
  tidying.unshift(() => execFileSync('umount', [folder]))
  return true
}
