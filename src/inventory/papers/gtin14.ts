/** A GTIN of 8, 12, 13 or 14 digits as GS1 codes write it; nothing if the check digit is wrong. */
export const gtin14 = (text: string) => {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return undefined
  const padded = text.padStart(14, '0')
  const sum = [...padded].reduce((total, digit, n) => total + Number(digit) * (n % 2 === 0 ? 3 : 1), 0)
  return sum % 10 === 0 ? padded : undefined
}
