import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The version of Trivet, from package.json. */
export const version: string = manifest.version
