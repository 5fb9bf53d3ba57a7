const maxLength = 2048

/** RFC 3986: unreserved characters, reserved ones outside of hosts, and escapes. */
const isUri = (text: string) => /^(?:[\w\-.~:/?@!$&'()*+,;=]|%[\da-f]{2}|#(?=[^#]*$))*$/i.test(text)

/** What `URL` leaves as it is although no URI may contain it. */
const escapeRest = (text: string) =>
  text.replace(/%(?![\da-f]{2})|(?<=#.*)#|[^\w\-.~:/?#@!$&'()*+,;=%]/gi, (character) =>
    encodeURIComponent(character).replace(/^[^%]$/, '%$&'),
  )

const hasHostName = ({ hostname }: URL) => /^(?:[\w-]+\.)*[\w-]+\.?$|^\[[\da-f:.]+\]$/.test(hostname)

/**
 * The address of a web page or an image as a valid URI: non-ASCII characters are escaped, host names are in their ASCII
 * form. An address that is valid already stays as it was written. Null if it cannot be the address of anything.
 */
export const toWebAddress = (text: string): string | null => {
  const url = /^https?:\/\/[^/]/i.test(text) ? URL.parse(text) : null
  if (!url || !hasHostName(url)) return null
  if (isUri(text)) return text
  const beforePath = url.href.length - `${url.pathname}${url.search}${url.hash}`.length
  const address = url.href.slice(0, beforePath) + escapeRest(url.href.slice(beforePath))
  return address.length <= maxLength ? address : null
}
