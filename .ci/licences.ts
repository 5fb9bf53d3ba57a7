import { readFileSync } from 'node:fs'

/** Lists the licences of all packages, and fails for one that asks more of whoever uses Trivet than to be named. */
type Locked = { version: string; license?: string; dev?: boolean; link?: boolean }
type Manifest = { license?: string; licenses?: { type: string }[] }

const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
]).union(new Set(['Bitstream-Vera', 'MIT', 'MIT-0', 'PostgreSQL', 'PSF-2.0', 'Unlicense']))
/**
 * Loaded as separate libraries, unchanged, by a process of their own, and not a part of Trivet: whoever uses Trivet may
 * replace them, which is what their licences ask for. See docs/adr/0037-pictures.md.
 */
const isSeparate = (name: string, licence: string) =>
  name.startsWith('@img/sharp-') && licence === 'LGPL-3.0-or-later'
/** Only tests use them, unchanged. */
const forDevelopment = new Set(['MPL-2.0', 'Python-2.0'])
/** Says so in its readme alone. */
const told: Record<string, string> = {
  'humanize-number': 'MIT',
  only: 'MIT',
  'png-js': 'MIT',
  'dejavu-fonts-ttf': 'Bitstream-Vera',
}

const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** The lock file has it of nearly all, also of those that are for another system and not installed. */
const licenceOf = (path: string, { license }: Locked) => {
  if (license && !license.startsWith('SEE LICENSE')) return license
  const manifest = read(`${path}/package.json`) as Manifest
  return (
    told[nameOf(path)] ??
    manifest.license ??
    manifest.licenses?.map(({ type }) => type).join(' OR ') ??
    'none'
  )
}

/** Of alternatives one is enough. */
const allows = ({ name, licence, dev }: { name: string; licence: string; dev: boolean }) =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((alternative) =>
      alternative
        .split(' AND ')
        .every((one) => permissive.has(one) || isSeparate(name, one) || (dev && forDevelopment.has(one))),
    )

const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }
const all = Object.entries(packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, locked]) => ({
    name: `${nameOf(path)} ${locked.version}`,
    licence: licenceOf(path, locked),
    dev: locked.dev === true,
  }))

for (const [licence, found] of [...Map.groupBy(all, ({ licence }) => licence)].sort()) {
  const development = found.filter(({ dev }) => dev).length
  const names = found.length > 3 ? '' : found.map(({ name }) => name).join(', ')
  console.log(
    `${licence.padEnd(18)} ${String(found.length - development).padStart(4)} in use ${String(development).padStart(4)} for development  ${names}`.trimEnd(),
  )
}
for (const each of all) {
  if (allows(each)) continue
  const { name, licence } = each
  console.error(`${name}: the licence ${licence} is not among those we accept`)
  process.exitCode = 1
}
