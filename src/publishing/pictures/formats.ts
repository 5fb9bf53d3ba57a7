const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

const signatures = {
  jpeg: (bytes: Buffer) => startsWith(bytes, '\xff\xd8\xff'),
  png: (bytes: Buffer) => startsWith(bytes, '\x89PNG\r\n\x1a\n'),
  webp: (bytes: Buffer) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
  gif: (bytes: Buffer) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'),
  avif: (bytes: Buffer) =>
    startsWith(bytes, 'ftyp', 4) && (startsWith(bytes, 'avif', 8) || startsWith(bytes, 'avis', 8)),
}

export type Format = keyof typeof signatures

/** The format of an image, by its first bytes. The name and the type that a client gives do not count. */
export const formatOf = (bytes: Buffer) =>
  (Object.keys(signatures) as Format[]).find((format) => signatures[format](bytes))
