import { open } from 'node:fs/promises'

/** What was created, renamed or removed in a folder survives a power cut only once the folder itself is flushed. */
export const syncFolder = (path: string) => syncFile(path)

export const syncFile = async (path: string) => {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
