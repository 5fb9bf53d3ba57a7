import { accents } from './accents.ts'
import { raw } from './html.ts'

const strokes = '<path d="M12 12V3.5M12 12l7.4 4.3M12 12l-7.4 4.3"/>'
const svg = (attributes: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke-width="3.5" stroke-linecap="round" ${attributes}>${body}</svg>`

/** A trivet from above: three short strokes that meet in a point, in the colour of the text around it. */
export const mark = raw(
  svg('class="mark" stroke="currentColor" width="24" height="24" aria-hidden="true"', strokes),
)

export const faviconUrl = (service: keyof typeof accents) => {
  const [light, dark] = accents[service]
  const style = `<style>path{stroke:${light}}@media(prefers-color-scheme:dark){path{stroke:${dark}}}</style>`
  return `data:image/svg+xml,${encodeURIComponent(svg('', style + strokes))}`
}
