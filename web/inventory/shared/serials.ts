import { parseGs1 } from '../scan/gs1.ts'

/** The serial numbers in a text: one in each line, or pasted with commas. Scanned codes of GS1 give their serial part. */
export const serialsIn = (text: string) => {
  const parts = text.split('\n').flatMap((line) => parseGs1(line.trim())?.serial ?? line.split(/[,;]/))
  return [...new Set(parts.map((part) => part.trim()).filter(Boolean))]
}

/** The text with one more serial number, in a line of its own. */
export const withSerial = (text: string, code: string) => serialsIn([text, code].join('\n')).join('\n')

/** The refusals that are about the serial numbers of a form. */
export const serialRefusals = {
  serial_exists: 'serials',
  serial_given_twice: 'serials',
  serial_not_found: 'serials',
  too_few_serials_in_stock: 'serials',
}
