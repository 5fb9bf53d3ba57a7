import { accents } from './accents.ts'
import { raw } from './html.ts'

export type ServiceName = keyof typeof accents

/** A trivet from above, in a square of 24 units: where its three strokes meet, where they end, and how wide they are. */
export const shape = {
  hub: [12, 12],
  ends: [
    [12, 3.5],
    [19.4, 16.3],
    [4.6, 16.3],
  ],
  width: 3.5,
} as const

const strokes = `<path d="${shape.ends.map(([x, y]) => `M${shape.hub.join(' ')}L${x} ${y}`).join('')}"/>`
const svg = (attributes: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke-width="${shape.width}" stroke-linecap="round" ${attributes}>${body}</svg>`

/** The mark in the colour of the text around it. */
export const mark = raw(
  svg('class="mark" stroke="currentColor" width="24" height="24" aria-hidden="true"', strokes),
)

/** The mark as a file, in the accent of a service. */
export const markSvg = (service: ServiceName) => {
  const [light, dark] = accents[service]
  const style = `<style>path{stroke:${light}}@media(prefers-color-scheme:dark){path{stroke:${dark}}}</style>`
  return svg('', style + strokes)
}
