import { html } from '#platform/web/html.ts'

const longest = 40
const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const decode = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!)

const shortForm = (address: string) => {
  const characters = [...address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')]
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`
}

/**
 * The HTML of a post in which addresses that were written out are shown without their scheme, and cut if they are long.
 * The text of any other link stays as it is: it was chosen by the author.
 */
export const withShortLinks = (contentHtml: string) =>
  contentHtml.replace(
    /(<a href="(https?:[^"]*)"[^>]*>)(https?:[^<]*)(?=<\/a>)/gi,
    (whole, start: string, href: string, text: string) =>
      URL.canParse(decode(text)) && new URL(decode(text)).href === new URL(decode(href)).href
        ? `${start}${html`${shortForm(decode(text))}`}`
        : whole,
  )
