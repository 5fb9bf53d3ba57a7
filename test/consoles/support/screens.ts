import { readFileSync } from 'node:fs'

/** The path of every screen of a console that people see who are signed in, from the list that the console is made of. */
export const screensOf = (service: 'storage' | 'inventory') => {
  const source = readFileSync(new URL(`../../../web/${service}/main.tsx`, import.meta.url), 'utf8')
  const [forMembers = ''] = source.split('guestScreens:')
  return [...forMembers.matchAll(/path: '([^']+)'/g)].map(([, path]) => path as string)
}
