import { html } from '#platform/web/html.ts'
import { secureUrl } from '../feeds/feed.ts'
import { sizes, smallPicture } from '../picture-urls.ts'

type Named = { username: string; handle: string; avatar_url: string | null }

const initial = (name: string) => [...new Intl.Segmenter().segment(name.trim())][0]?.segment ?? '?'

const hues = 12

/** The class with the colour of a person, always the same for a handle. */
export const hueOf = (handle: string) => {
  let sum = 0
  for (const character of handle.toLowerCase()) sum = (sum * 31 + character.codePointAt(0)!) % 9973
  return `hue-${sum % hues}`
}

export const avatar = ({ avatar_url, username, handle }: Named, size = 44) => {
  const url = secureUrl(avatar_url)
  // Screens have up to twice as many pixels.
  const fitting = url && (2 * size <= sizes.avatar.small.width ? smallPicture(url) : url)
  return fitting
    ? html`<img class="avatar" src="${fitting}" alt="" width="${size}" height="${size}" loading="lazy" referrerpolicy="no-referrer">`
    : html`<span class="avatar ${hueOf(handle)}" aria-hidden="true">${initial(username)}</span>`
}

export const verified = (is: boolean) =>
  is && html`<span class="verified" title="Verified">✓<span class="unseen"> verified</span></span>`
