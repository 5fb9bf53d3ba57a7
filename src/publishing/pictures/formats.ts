const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

const signatures: Record<string, (bytes: Buffer) => boolean> = {
  jpeg: (bytes) => startsWith(bytes, '\xff\xd8\xff'),
  png: (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n'),
  webp: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
  gif: (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'),
  avif: (bytes) =>
    startsWith(bytes, 'ftyp', 4) && (startsWith(bytes, 'avif', 8) || startsWith(bytes, 'avis', 8)),
}

/** Whether these are the first bytes of an image that we read. The name and the type that a client gives do not count. */
export const isKnownImage = (bytes: Buffer) => Object.values(signatures).some((matches) => matches(bytes))
