import { type Bundle, bundleConsole } from './bundle.ts'

/** A web application for people, served beside the API that it uses. */
export type Console = {
  /** The script that shows it. */
  entry: URL
  /** Where its images may come from, besides the service itself. */
  imageSources?: readonly string[]
}

const style = new URL('../../../web/style/console.css', import.meta.url)

/**
 * The files of a console: bundled when they are first asked for, and kept in memory, so that a server whose console
 * nobody opens never starts the bundler. With `isFresh` they are bundled again, and earlier files stay available to the
 * pages that were loaded with them.
 */
export const consoleFiles = ({ entry }: Console) => {
  const files = new Map<string, Buffer>()
  let current: Promise<Bundle> | undefined
  const bundle = async () => {
    const made = await bundleConsole(entry, style)
    for (const [name, body] of made.files) files.set(name, body)
    return made
  }
  const latest = ({ isFresh = false } = {}) => {
    if (isFresh) current = undefined
    current ??= bundle().catch((error) => {
      current = undefined
      throw error
    })
    return current
  }
  return {
    latest,
    /** A page may have been loaded from another node, or before a restart of this one. */
    async find(name: string) {
      await latest()
      return files.get(name)
    },
  }
}
