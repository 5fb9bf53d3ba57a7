import { inflateSync } from 'node:zlib'

/** What a PDF says, as far as tests ask: `pdf` has its bytes as one character each. */
export const pagesOf = (pdf: string) => pdf.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0

/** Width and height of its first page, in points. */
export const boxOf = (pdf: string) =>
  /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/
    .exec(pdf)
    ?.slice(1)
    .map((n) => Math.round(Number(n)))

const objectsOf = (pdf: string) =>
  new Map([...pdf.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)].map(([, id, body]) => [id, body] as const))

/** By its length: the compressed bytes may end like a line. */
const contentOf = (object = '') => {
  const [head = '', length] = /^[\s\S]*?\/Length (\d+)[\s\S]*?\bstream\n/.exec(object) ?? []
  const bytes = object.slice(head.length, head.length + Number(length))
  return length === undefined ? '' : inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1')
}

const hexText = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')

/** The characters of a font by glyph. */
const lettersOf = (map: string) => {
  const letters = new Map<number, string>()
  for (const [, first = '', list = ''] of map.matchAll(/<([\da-f]{4})> <[\da-f]{4}> \[([^\]]*)\]/gi))
    for (const [n, [, code = '']] of [...list.matchAll(/<([\da-f]*)>/gi)].entries())
      letters.set(Number.parseInt(first, 16) + n, hexText(code))
  return letters
}

/** The text of a PDF that pdfkit has made, in the order in which it was written, without any space. */
export const textOf = (pdf: string) => {
  const objects = objectsOf(pdf)
  const fonts = new Map<string, Map<number, string>>()
  for (const [, name = '', id = ''] of pdf.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1]
    if (map) fonts.set(name, lettersOf(contentOf(objects.get(map))))
  }
  let text = ''
  for (const [, id = ''] of pdf.matchAll(/\/Contents (\d+) 0 R/g)) {
    let font = new Map<number, string>()
    for (const [, name, glyphs = ''] of contentOf(objects.get(id)).matchAll(
      /\/(F\d+) [\d.]+ Tf|\[(<.*?)\] TJ/g,
    ))
      if (name) font = fonts.get(name) ?? font
      else
        for (const [, run = ''] of glyphs.matchAll(/<([\da-f]+)>/gi))
          for (const glyph of run.match(/.{4}/g) ?? []) text += font.get(Number.parseInt(glyph, 16)) ?? ''
  }
  return text.replace(/\s/g, '')
}
