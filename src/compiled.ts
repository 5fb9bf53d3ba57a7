import { fileURLToPath } from 'node:url'

/** Where Node keeps what it has compiled: in node_modules, where other users cannot plant code. */
export const compiledFolder = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
