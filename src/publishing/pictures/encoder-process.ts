import type { Encoded, Task } from './encoder.ts'

/** Encodes one picture and ends; see encoder.ts. */

/** The only decoders that are enabled: libvips has many more, and this is where untrusted bytes are read. */
const decoders = ['JpegBuffer', 'PngBuffer', 'WebpBuffer', 'NsgifBuffer', 'HeifBuffer']

const failureOf = (error: unknown) =>
  /exceeds pixel limit/.test(String(error)) ? ('too many pixels' as const) : ('unreadable' as const)

const encode = async ({ bytes, large, small, maxPixels, quality }: Task): Promise<Encoded> => {
  const loaded = await import('sharp').catch((error: unknown) => ({ failed: String(error) }))
  if ('failed' in loaded) return { failure: 'unavailable', reason: loaded.failed }
  const { default: sharp } = loaded
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: decoders.map((name) => `VipsForeignLoad${name}`) })
  sharp.cache(false)
  sharp.concurrency(1)
  try {
    // Without its metadata the picture could no longer be turned, so that happens first.
    const original = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', autoOrient: true })
    const sized = await original
      .resize({ ...large, fit: 'cover' })
      .webp({ quality })
      .toBuffer()
    const smaller = await sharp(sized)
      .resize({ ...small, fit: 'cover' })
      .webp({ quality })
      .toBuffer()
    return { large: sized, small: smaller }
  } catch (error) {
    return { failure: failureOf(error), reason: String(error) }
  }
}

process.once('disconnect', () => process.exit())
process.once('message', async (task) => {
  process.send?.(await encode(task as Task), () => process.exit())
})
