import { rgb, styled } from '#platform/ansi.ts'
import type { ListenerName, ServiceName } from '#platform/config.ts'
import { accents } from '#platform/web/accents.ts'

type Start = {
  services: readonly { name: ListenerName; url: string }[]
  dataDir: string
  database: string
  demoHint: boolean
  colour: boolean
}

const WIDTH = 80
const LABEL = 13

const shortened = (text: string, width: number) => {
  if (text.length <= width) return text
  const head = Math.floor((width - 1) / 2)
  return `${text.slice(0, head)}…${text.slice(head + 1 - width)}`
}

/** What a person sees on the terminal when the services are up. */
export const banner = ({ services, dataDir, database, demoHint, colour }: Start) => {
  const accent = (name: ServiceName, text: string) =>
    colour ? styled(`38;2;${rgb(accents[name][1])}`, text) : text
  const bold = (text: string) => (colour ? styled('1', text) : text)
  const quiet = (text: string) => (colour ? styled('2', text) : text)

  const room = WIDTH - 3 - LABEL
  const longest = Math.max(...services.map(({ url }) => url.length))
  // An address that is cut is no address: when both do not fit, the second is given as a path.
  const reference = (url: string) => (2 * longest + '/docs'.length + 3 <= room ? `${url}/docs` : '/docs')

  // The S3 endpoint belongs to storage, and has no pages.
  const serviceLine = ({ name, url }: Start['services'][number]) =>
    name === 's3'
      ? `   ${accent('storage', 'storage (S3)'.padEnd(LABEL))}${url}`
      : `   ${accent(name, name.padEnd(LABEL))}${url.padEnd(longest)}   ${quiet(reference(url))}`
  const line = (label: string, text: string) => `   ${quiet(label.padEnd(LABEL))}${shortened(text, room)}`

  return [
    '',
    `   ${accent('storage', '╲')} ${accent('publishing', '╱')}   ${bold('Trivet')}`,
    `    ${accent('inventory', '│')}    ${quiet('up and serving')}`,
    '',
    ...services.map(serviceLine),
    '',
    line('data', dataDir),
    line('database', database),
    ...(demoHint ? [line('demo data', 'npx trivet demo')] : []),
    line('stop', 'Ctrl+C'),
    '',
    '',
  ].join('\n')
}
