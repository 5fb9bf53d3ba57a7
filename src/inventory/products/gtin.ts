/**
 * The ways in which the number on a product is written. A GTIN has 8, 12, 13 or 14 digits, and zeros on its left do not
 * make it another number: a carton's code shows 14 digits where the till reads 12 or 13.
 */
export const gtinForms = (text: string): string[] => {
  if (!/^\d{8,14}$/.test(text)) return [text]
  const digits = text.replace(/^0+/, '')
  const padded = [8, 12, 13, 14]
    .filter((length) => length >= digits.length)
    .map((n) => digits.padStart(n, '0'))
  return [...new Set([text, ...padded])]
}
