/** Text in a style of the terminal, such as `1` (bold), `2` (dim) or `31` (red). */
export const styled = (codes: string, text: string) => `\x1b[${codes}m${text}\x1b[0m`

/** A colour such as `#3b5bdb` as the parameters of an escape sequence. */
export const rgb = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(';')
