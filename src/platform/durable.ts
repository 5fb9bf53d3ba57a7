import { open } from 'node:fs/promises'

/** Files that were created, renamed or removed in a folder stay so after a power cut only once the folder is flushed. */
export const syncFolder = (path: string) => syncFile(path)

export const syncFile = async (path: string) => {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
