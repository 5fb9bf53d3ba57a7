/** What a GS1 code says about a unit: the product, and the batch, expiry and serial number if it has them. */
export type Gs1 = {
  /** The product's GTIN, as it is written in the code: 14 digits. */
  gtin?: string
  batch?: string
  /** YYYY-MM-DD. */
  expiry?: string
  serial?: string
}

/** Ends a value of variable length where the code has FNC1. */
const separator = '\u001D'

/** The parts that are kept, by their application identifiers. */
const names: Record<string, keyof Gs1> = { '01': 'gtin', '10': 'batch', '17': 'expiry', '21': 'serial' }

/**
 * How long a value is, for identifiers whose values always have that length, by their first two digits. These need no
 * separator behind them. GS1 General Specifications, figure 7.8.5-2.
 */
const fixedLengths: Record<string, number> = {
  '00': 18, '01': 14, '02': 14, '03': 14, '04': 16, '11': 6, '12': 6, '13': 6, '14': 6, '15': 6, '16': 6, '17': 6,
  '18': 6, '19': 6, '20': 2, '31': 8, '32': 8, '33': 8, '34': 8, '35': 8, '36': 8, '41': 13,
} // biome-ignore format: one list

/** How many digits an identifier has, by its first two, where that is not two. */
const identifierLength = (text: string) => {
  const start = text.slice(0, 2)
  if (/^(?:2[3-5]|4[0-2]|71)$/.test(start)) return 3
  return /^(?:3[1-69]|43|70|72|8[0-2])$/.test(start) ? 4 : 2
}

/** A GTIN with its check digit: every second digit counts three times, and the sum ends with 0. */
export const isGtin = (text: string) => {
  if (!/^\d{14}$/.test(text)) return false
  const sum = [...text].reduce((total, digit, n) => total + Number(digit) * (n % 2 === 0 ? 3 : 1), 0)
  return sum % 10 === 0
}

const isDay = (day: string) => {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/**
 * YYMMDD. The century is the one that makes the year at most 49 years before and 50 after this one; day 00 is the last day
 * of the month.
 */
const dayOf = (text: string, thisYear: number) => {
  if (!/^\d{6}$/.test(text)) return undefined
  const [year, month, day] = [text.slice(0, 2), text.slice(2, 4), text.slice(4)].map(Number) as [
    number,
    number,
    number,
  ]
  const distance = year - (thisYear % 100)
  const century = Math.floor(thisYear / 100) + (distance >= 51 ? -1 : distance <= -50 ? 1 : 0)
  const date = day === 0 ? new Date(Date.UTC(century * 100 + year, month, 0)).getUTCDate() : day
  const two = (n: number) => String(n).padStart(2, '0')
  const whole = `${century * 100 + year}-${two(month)}-${two(date)}`
  return month >= 1 && isDay(whole) ? whole : undefined
}

/** The characters that GS1 allows in batches and serials, at most 20 of them. */
const isText = (text: string) => /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/.test(text)

/** Undefined if a part is not what its identifier promises: then the code was misread, or is none of GS1's. */
const fromParts = (parts: readonly [string, string][], thisYear: number): Gs1 | undefined => {
  const found: Gs1 = {}
  for (const [identifier, value] of parts) {
    const name = names[identifier]
    if (!name) continue
    const read = name === 'expiry' ? dayOf(value, thisYear) : value
    const isRight = name === 'gtin' ? isGtin(value) : name === 'expiry' ? read !== undefined : isText(value)
    if (!isRight || (found[name] !== undefined && found[name] !== read)) return undefined
    found[name] = read as string
  }
  return Object.keys(found).length > 0 ? found : undefined
}

/** `(01)04006381333931(10)OIL-7`, as it is printed below a code. */
const withParentheses = (text: string): [string, string][] | undefined => {
  const parts = [...text.matchAll(/\((\d{2,4})\)(.*?)(?=\(\d{2,4}\)|$)/gs)]
  const whole = parts.map(([part]) => part).join('')
  return parts.length > 0 && whole === text ? parts.map(([, id = '', value = '']) => [id, value]) : undefined
}

/** As a scanner types it: identifiers and values one after the other, with separators where a value could go on. */
const withSeparators = (text: string): [string, string][] | undefined => {
  const parts: [string, string][] = []
  let rest = text.replace(/^\u001D/, '')
  while (rest !== '') {
    const length = identifierLength(rest)
    const identifier = rest.slice(0, length)
    if (!/^\d{2,4}$/.test(identifier) || identifier.length < length) return undefined
    const fixed = fixedLengths[identifier.slice(0, 2)]
    const end = rest.indexOf(separator, length)
    const valueEnd = fixed === undefined ? (end < 0 ? rest.length : end) : fixed + 2
    const value = rest.slice(length, valueEnd)
    if (value === '' || value.includes(separator) || rest.length < valueEnd) return undefined
    parts.push([identifier, value])
    rest = rest.slice(valueEnd).replace(/^\u001D/, '')
  }
  return parts
}

/** `https://example.com/01/04006381333931/10/OIL-7?17=270331`, from any domain and below any path. */
const fromLink = (text: string): [string, string][] | undefined => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const decode = (part: string) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  }
  const steps = url.pathname.split('/').slice(1).map(decode)
  const start = steps.findIndex((step, n) => step === '01' && /^\d{8,14}$/.test(steps[n + 1] ?? ''))
  if (start < 0) return undefined
  const pairs: [string, string][] = []
  for (let n = start; n + 1 < steps.length; n += 2) pairs.push([steps[n] as string, steps[n + 1] as string])
  return [...pairs, ...url.searchParams].map(([id, value]) => [
    id,
    id === '01' ? value.padStart(14, '0') : value,
  ])
}

/** GS1-128, GS1 DataMatrix, GS1 QR Code and GS1 DataBar, as scanners announce them. */
const gs1Symbologies = /^\](?:C1|d2|Q3|e0)/
/** How a scanner announces what kind of code it has read. */
export const anySymbology = /^\][A-Za-z]\d/

/**
 * Reads a scanned text as a GS1 code: with parentheses, with FNC1, or as a GS1 Digital Link. Undefined for anything else,
 * such as a plain EAN or SKU, which is then searched as it is. Without a symbology identifier a text counts as GS1 only if
 * it begins with a GTIN: any number could be read as something otherwise.
 */
export const parseGs1 = (scanned: string, thisYear = new Date().getFullYear()): Gs1 | undefined => {
  const isAnnounced = gs1Symbologies.test(scanned.trim())
  const text = scanned.trim().replace(anySymbology, '')
  const link = fromLink(text)
  if (link) return fromParts(link, thisYear)
  if (text.startsWith('(')) {
    const parts = withParentheses(text)
    return parts && fromParts(parts, thisYear)
  }
  const isLikely =
    isAnnounced || text.startsWith(separator) || (/^01\d{14}/.test(text) && isGtin(text.slice(2, 16)))
  const parts = isLikely ? withSeparators(text) : undefined
  return parts && fromParts(parts, thisYear)
}
