export type CsvRecord = { cells: string[]; line: number }

const delimiters = [',', ';', '\t']

/** Spreadsheets separate by what their locale does not use in numbers: whatever the first line has most of. */
const delimiterOf = (text: string) => {
  const first = text.slice(0, text.search(/\r?\n|$/))
  const times = (mark: string) => first.split(mark).length
  return delimiters.reduce((best, mark) => (times(mark) > times(best) ? mark : best))
}

/** The records of a CSV file (RFC 4180), each with the line it begins at. Blank lines are left out. */
export const parseCsv = (file: string): CsvRecord[] => {
  const text = file.replace(/^\uFEFF/, '')
  const delimiter = delimiterOf(text)
  const records: CsvRecord[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let begun = 1
  const endRecord = () => {
    cells.push(cell)
    if (cells.some((one) => one.trim() !== '')) records.push({ cells, line: begun })
    cells = []
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character === '\n') line++
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === delimiter) {
      cells.push(cell)
      cell = ''
    } else if (character === '\n') {
      endRecord()
      begun = line
    } else if (character !== '\r' || text[at + 1] !== '\n') cell += character
  }
  endRecord()
  return records
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A CSV file, and the line at which each row begins: cells may have line breaks. */
export const formatCsv = (rows: string[][]) => {
  const lines: number[] = []
  let line = 1
  const text = rows
    .map((row) => {
      const record = row.map(quoted).join(',')
      lines.push(line)
      line += record.split('\n').length
      return record
    })
    .join('\r\n')
  return { text, lines }
}
