import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { MissingBytes } from '#platform/blobs/engine.ts'
import { isStatementRefused } from '#platform/db/failures.ts'
import { AppError, invalid, notFound, unavailable } from '#platform/errors.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import type { Principal, Publishing } from '../context.ts'
import { invalidate } from '../invalidation.ts'
import { type Kind, pictureAt, sizes, storedPath, type Variant } from '../picture-urls.ts'
import { readAccounts, readOwnProfile, updateProfile } from '../profiles/profiles.ts'
import { encode, type Failure } from './encoder.ts'
import { discardFiles, readFile, writeFiles } from './files.ts'
import { type Format, formatOf } from './formats.ts'
import { requirePicture } from './receive.ts'
import * as store from './store.ts'
import { removeReleased } from './upkeep.ts'

/** Enough for photos. Decoding so many takes up to 200 MB, and three times as much for each pixel of an AVIF. */
const megapixels = (format: Format) => (format === 'avif' ? 12 : 25)
const quality = 80

const refuse = (ctx: Publishing, format: Format, failure: Failure, reason: string): never => {
  if (failure === 'unavailable') {
    ctx.log.error({ reason }, 'pictures cannot be encoded: the library does not load')
    return unavailable('Pictures cannot be uploaded at the moment')
  }
  ctx.log.info({ format, failure, reason }, 'picture refused')
  if (failure === 'too many pixels')
    return invalid('picture', `must have at most ${megapixels(format)} megapixels`)
  if (failure === 'too slow') return invalid('picture', 'takes too long to read')
  return invalid('picture', 'cannot be read: it is damaged or incomplete')
}

/**
 * Identifies the content, for caches that keep it for ever. The account is part of it, so that a picture that two of them
 * upload is still shown and removed for each of them alone.
 */
const nameOf = (userId: number, kind: Kind, { large, small }: Record<Variant, Buffer>) =>
  createHash('sha256').update(`${userId}:${kind}:`).update(large).update(small).digest('hex').slice(0, 32)

const encoded = async (ctx: Publishing, { userId }: Principal, kind: Kind, bytes: Buffer) => {
  requirePicture(bytes)
  const format = formatOf(bytes)
  if (!format) throw new AppError(415, 'The picture must be a JPEG, PNG, WebP, GIF or AVIF image')
  const maxPixels = megapixels(format) * 1_000_000
  const result = await encode(userId, { bytes, ...sizes[kind], maxPixels, quality })
  if ('failure' in result) return refuse(ctx, format, result.failure, result.reason)
  return { large: Buffer.from(result.large), small: Buffer.from(result.small) }
}

/** Encodes a picture and shows it in place of the one that the account has. */
export const changePicture = async (ctx: Publishing, me: Principal, kind: Kind, bytes: Buffer) => {
  const picture = await encoded(ctx, me, kind, bytes)
  const path = storedPath(kind, nameOf(me.userId, kind, picture))
  const files = await writeFiles(ctx, picture)
  try {
    await ctx.db.transaction(async (tx) => {
      if (!(await store.setPicture(tx, { userId: me.userId, kind, path, files }))) notFound('User not found')
      await invalidate(ctx, tx, { account: [me.userId] })
    })
  } catch (error) {
    // After a lost connection, they may have been committed.
    if (error instanceof AppError || isStatementRefused(error)) await discardFiles(ctx, files)
    throw error
  }
  await removeReleased(ctx)
  return readOwnProfile(ctx, me)
}

/** Also if it is at an address elsewhere. */
export const removePicture = async (ctx: Publishing, me: Principal, kind: Kind) => {
  await updateProfile(ctx, me.userId, { [`${kind}_url`]: null })
  await removeReleased(ctx)
  return readOwnProfile(ctx, me)
}

const maxCachedBytes = 16 * 1024 * 1024

type Cached = store.StoredFile & { bytes?: Buffer }

/** The bytes of pictures by address. They never change, so entries do not have to be invalidated. */
const cache = moduleState(
  ({ config }: Platform) =>
    new LRUCache<string, Cached>({
      maxSize: Math.ceil(maxCachedBytes / config.workers),
      sizeCalculation: ({ size }) => size,
    }),
)

const noPicture = () => notFound('Picture not found')

/** It may have been replaced between finding and reading it. */
const readStored = async (ctx: Publishing, path: string, variant: Variant, file: store.StoredFile) => {
  try {
    return await readFile(ctx, file)
  } catch (error) {
    if (!(error instanceof MissingBytes)) throw error
    if ((await store.findFile(ctx.db.sql, path, variant))?.id !== file.id) return noPicture()
    throw new AppError(500, 'The stored picture is damaged', { cause: error })
  }
}

/** The picture at one of our addresses, for as long as its account shows it and is not suspended. */
export const readPictureAt = async (ctx: Publishing, address: string): Promise<Buffer> => {
  const { kind, variant, name } = pictureAt(address) ?? noPicture()
  const path = storedPath(kind, name)
  const file: Cached =
    cache(ctx).get(address) ?? (await store.findFile(ctx.db.sql, path, variant)) ?? noPicture()
  const [account] = await readAccounts(ctx, [file.userId])
  const isShown = account && !account.isSuspended && account[`${kind}_url`]?.endsWith(path)
  if (!isShown) return noPicture()
  file.bytes ??= await readStored(ctx, path, variant, file)
  cache(ctx).set(address, file)
  return file.bytes
}
