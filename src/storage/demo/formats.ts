import { crc32, deflateRawSync } from 'node:zlib'

const escaped = (text: string) => text.replace(/[\\()]/g, '\\$&')

/** A page of text as a PDF file. Only characters of Latin 1 can be shown. */
export const pdf = (lines: readonly string[]) => {
  const text = lines.map((line) => `(${escaped(line)}) ' `).join('\n')
  const content = `BT /F1 12 Tf 18 TL 72 780 Td ${text} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, n) => {
    const at = file.length
    file += `${n + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`, 'latin1')
}

/** 15 March 2026, as ZIP counts days. */
const zipDate = ((2026 - 1980) << 9) | (3 << 5) | 15

/** Files as a ZIP archive. */
export const zip = (files: Record<string, Buffer>) => {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, data] of Object.entries(files)) {
    const packed = deflateRawSync(data)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt16LE(zipDate, 8)
    shared.writeUInt32LE(crc32(data), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(data.length, 18)
    shared.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    entries.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, place, Buffer.from(name)]),
    )
    parts.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directory, end])
}

const samplesPerSecond = 8_000

/** A bell that fades, as a WAV file. */
export const wav = (seconds: number, hertz: number) => {
  const samples = seconds * samplesPerSecond
  const file = Buffer.alloc(44 + samples)
  file.write('RIFF    WAVEfmt ', 'latin1')
  file.writeUInt32LE(36 + samples, 4)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(samplesPerSecond, 24)
  file.writeUInt32LE(samplesPerSecond, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(samples, 40)
  for (let n = 0; n < samples; n++) {
    const at = n / samplesPerSecond
    const loudness = 100 * Math.exp(-3 * at)
    file[44 + n] = 128 + Math.round(loudness * Math.sin(2 * Math.PI * hertz * at))
  }
  return file
}
