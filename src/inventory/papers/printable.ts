/** One line's worth of text: line breaks and control characters would move everything below. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** The lines that say something. */
export const printableLines = (lines: readonly (string | null | undefined)[]) =>
  lines.map((line) => printable(line ?? '')).filter((line) => line !== '')
