import { createHash } from 'node:crypto'
import { type Engine, MissingBytes } from '#platform/blobs/engine.ts'
import { openEngine, openSpace } from '#platform/blobs/open.ts'
import { isFull, noSpace, type Space } from '#platform/blobs/space.ts'
import { uuidv7 } from '#platform/ids.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Variant } from '../picture-urls.ts'
import type { PictureFile } from './store.ts'

/** Where the bytes of pictures are. */
export const files = moduleState((platform: Platform): { engine: Engine; space: Space } => ({
  engine: openEngine(platform.config, 'pictures'),
  space: openSpace(platform),
}))

const hash = (bytes: Buffer) => createHash('md5').update(bytes).digest()

/** Stores both sizes durably; no row refers to them yet. */
export const writeFiles = async (ctx: Platform, sizes: Record<Variant, Buffer>) => {
  const { engine, space } = files(ctx)
  await space.require(sizes.large.length + sizes.small.length)
  const written: PictureFile[] = []
  try {
    for (const variant of ['large', 'small'] as const) {
      const [id, bytes] = [uuidv7(), sizes[variant]]
      await engine.write(id, onlyChunk(bytes))
      written.push({ id, variant, size: bytes.length, md5: hash(bytes) })
    }
  } catch (error) {
    await discardFiles(ctx, written)
    throw isFull(error) ? noSpace(error) : error
  }
  return written
}

const onlyChunk = async function* (bytes: Buffer) {
  yield bytes
}

/** Removes files that no row refers to. What cannot be removed now will be removed by the sweep. */
export const discardFiles = async (ctx: Platform, unused: { id: string }[]) => {
  for (const { id } of unused)
    await files(ctx)
      .engine.remove(id)
      .catch((err) => ctx.log.warn({ err, blob: id }, 'a file of a picture could not be removed yet'))
}

/** The bytes of a file. Throws `MissingBytes` if they are not those that were stored. */
export const readFile = async (ctx: Platform, { id, size, md5 }: Omit<PictureFile, 'variant'>) => {
  const bytes = await files(ctx).engine.readWhole(id, size)
  if (!hash(bytes).equals(md5)) throw new MissingBytes('its bytes are not those that were stored')
  return bytes
}
