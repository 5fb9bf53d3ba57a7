import { publicUrl } from './public-urls.ts'

/**
 * Uploaded pictures have addresses of our own, `/media/<name>-<width>.webp`. Accounts store the path of the large one;
 * what clients see is absolute, and follows when the public address of the service changes.
 */
export const kinds = ['avatar', 'banner'] as const
export type Kind = (typeof kinds)[number]
export type Variant = 'large' | 'small'
type Size = { width: number; height: number }

export const sizes: Record<Kind, Record<Variant, Size>> = {
  avatar: { large: { width: 400, height: 400 }, small: { width: 96, height: 96 } },
  banner: { large: { width: 1500, height: 500 }, small: { width: 600, height: 200 } },
}

const pathOf = (name: string, { width }: Size) => `/media/${name}-${width}.webp`

/** The path that an account stores. */
export const storedPath = (kind: Kind, name: string) => pathOf(name, sizes[kind].large)

const address = /\/media\/([0-9a-f]{32})-(\d+)\.webp$/

/** What the address of a picture refers to; undefined if it is not one of ours, or of another Trivet. */
export const pictureAt = (url: string) => {
  const [, name, width] = address.exec(url) ?? []
  if (name === undefined) return undefined
  for (const kind of kinds)
    for (const variant of ['large', 'small'] as const)
      if (String(sizes[kind][variant].width) === width) return { kind, variant, name }
  return undefined
}

/** Addresses that are not ours stay as they are. */
export const publicPicture = (base: string, url: string | null) =>
  url?.startsWith('/') ? publicUrl(base, url) : url

type Shown = { avatar_url: string | null; banner_url: string | null }

/** A row of an account as clients see it. */
export const withPublicUrls = <T extends Shown>(base: string, row: T): T => ({
  ...row,
  avatar_url: publicPicture(base, row.avatar_url),
  banner_url: publicPicture(base, row.banner_url),
})

/** The small variant of an uploaded picture; other addresses stay as they are. */
export const smallPicture = (url: string) => {
  const found = pictureAt(url)
  return found ? url.replace(address, pathOf(found.name, sizes[found.kind].small)) : url
}
