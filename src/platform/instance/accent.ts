/** The backgrounds on which an accent has to be readable. */
const backgrounds = { light: [251, 251, 250], dark: [17, 18, 20] } as const
/** WCAG 2: the least contrast of text. */
const enough = 4.5

type Rgb = readonly [number, number, number]

const parse = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb
const format = (rgb: Rgb) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const luminance = (rgb: Rgb) => {
  const [r = 0, g = 0, b = 0] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (one: Rgb, other: Rgb) => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}
const mix = (from: Rgb, to: Rgb, share: number) =>
  from.map((part, at) => part + (to[at]! - part) * share) as unknown as Rgb

/** The nearest colour that is readable on a background, going towards black or white. */
const readable = (colour: Rgb, background: Rgb, towards: Rgb) => {
  const steps = Array.from({ length: 21 }, (_, step) => mix(colour, towards, step / 20))
  return format(steps.find((one) => contrast(one, background) >= enough) ?? towards)
}

/** An accent for light and for dark pages that is as near to a colour as legible text allows. */
export const accentsOf = (hex: string) => ({
  light: readable(parse(hex), backgrounds.light, [0, 0, 0]),
  dark: readable(parse(hex), backgrounds.dark, [255, 255, 255]),
})
