import { rgb, styled } from '#platform/ansi.ts'
import type { ListenerName, ServiceName } from '#platform/config.ts'
import { accents } from '#platform/web/accents.ts'

/** People begin at the console of a service, if it has one. */
type Listener = { name: ListenerName; url: string; console?: string | undefined }

type Start = {
  services: readonly Listener[]
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
  const longest = Math.max(...services.map(({ url, console = url }) => console.length))
  // An address that is cut is no address: when both do not fit, the second is given as a path.
  const reference = (url: string) => (longest + `   ${url}/docs`.length <= room ? `${url}/docs` : '/docs')

  // The S3 endpoint belongs to storage, and has no pages.
  const serviceLine = ({ name, url, console = url }: Listener) =>
    name === 's3'
      ? `   ${accent('storage', 'storage (S3)'.padEnd(LABEL))}${url}`
      : `   ${accent(name, name.padEnd(LABEL))}${console.padEnd(longest)}   ${quiet(reference(url))}`
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
