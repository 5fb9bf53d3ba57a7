import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** Four quarters of different colours, so that turning and cropping show. */
const quarters = (width: number, height: number) => {
  const colours = [
    [220, 30, 30],
    [30, 160, 60],
    [30, 60, 220],
    [240, 220, 40],
  ] as const
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      pixels.set(colours[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]!, (y * width + x) * 3)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

export const jpeg = (width = 600, height = 600) => quarters(width, height).jpeg({ quality: 90 }).toBuffer()

export const inFormat = (format: 'png' | 'webp' | 'gif' | 'avif', width = 300, height = 300) =>
  quarters(width, height).toFormat(format).toBuffer()

/** A photo as a phone takes it: lying on its side, with the place where it was taken. */
export const photoWithPlace = () =>
  quarters(640, 480)
    .jpeg({ quality: 90 })
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Make: 'Secret Camera', Copyright: 'Secret Owner' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '54/1 29/1 1234/100', GPSLongitudeRef: 'W' },
    })
    .toBuffer()

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const pngOf = (width: number, height: number, data: Buffer) => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0], 8) // one bit for each pixel
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A few kilobytes that would become an image of 30,000 by 30,000 pixels. */
export const bomb = () => pngOf(30_000, 30_000, deflateSync(Buffer.alloc(30_000 * 3_751)))

/** The same image with a comment, so that it has exactly so many bytes. */
export const paddedTo = (image: Buffer, bytes: number) => {
  const comments: Buffer[] = []
  for (let missing = bytes - image.length; missing > 0; ) {
    // A comment has at least four bytes, and at most 65,537.
    const size = missing > 65_537 ? Math.min(65_537, missing - 4) : missing
    const comment = Buffer.alloc(size, 'x')
    comment.writeUInt16BE(0xfffe, 0)
    comment.writeUInt16BE(size - 2, 2)
    comments.push(comment)
    missing -= size
  }
  return Buffer.concat([image.subarray(0, 2), ...comments, image.subarray(2)])
}

/** A form with one file, as browsers send it. */
export const pictureForm = (image: Buffer, fields: Record<string, string> = {}, name = 'picture') => {
  const data = new FormData()
  for (const [field, value] of Object.entries(fields)) data.append(field, value)
  data.append(name, new Blob([Uint8Array.from(image)], { type: 'image/jpeg' }), 'me.jpg')
  return { raw: data }
}
