import { finished, type Readable } from 'node:stream'
import { AppError, badRequest, invalid } from '#platform/errors.ts'

const maxPictureBytes = 2 * 1024 * 1024
/** What a form has besides the picture: boundaries, headers and a few short fields. */
const formOverhead = 16 * 1024

/** What `@fastify/multipart` is to accept. One byte more than allowed is enough to know that there is more. */
export const formLimits = { fileSize: maxPictureBytes + 1, files: 1, fieldSize: 1024, fields: 8, parts: 9 }

/** 413; the connection is closed, because the rest of the body will not be read. */
const tooLarge = () =>
  new AppError(413, 'The picture must have at most 2 MiB (2097152 bytes)', {
    headers: { connection: 'close' },
  })

/** Refuses a body that is announced larger than it may be, before any of it is read. */
export const checkAnnounced = (length: string | undefined, isForm: boolean) => {
  if (Number(length ?? 0) > maxPictureBytes + (isForm ? formOverhead : 0)) throw tooLarge()
}

/** Reads a picture into memory. The source is never destroyed, so that a response can still be sent. */
export const readPicture = (source: Readable | null) =>
  new Promise<Buffer>((resolve, reject) => {
    if (!source) return resolve(Buffer.alloc(0))
    const chunks: Buffer[] = []
    let length = 0
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxPictureBytes) chunks.push(chunk)
      else {
        source.off('data', onData).resume()
        reject(tooLarge())
      }
    }
    finished(source, { writable: false }, (cause) => {
      if (cause) reject(new AppError(400, 'The body ended before it was complete', { cause }))
      else resolve(Buffer.concat(chunks))
    })
    source.on('data', onData)
  })

type Field = { type: 'field'; fieldname: string; value: unknown }
type File = { type: 'file'; file: Readable }

const formError = (error: unknown): never => {
  if (error instanceof AppError) throw error
  const { code, message } = error as { code?: string; message: string }
  // The needle is the boundary, which the parser searches for, if it is not too long.
  if (code?.startsWith('FST_') || /Unexpected end|Multipart|Malformed|boundary|needle/i.test(message))
    badRequest('The form is not valid multipart/form-data')
  throw error
}

/** Reads a form with one picture, whatever its field is called. */
export const readPictureForm = async (parts: AsyncIterable<Field | File>) => {
  const fields: Record<string, string> = {}
  let picture: Buffer | undefined
  try {
    for await (const part of parts) {
      if (part.type === 'file') picture = await readPicture(part.file)
      else fields[part.fieldname] = String(part.value)
    }
  } catch (error) {
    formError(error)
  }
  return { fields, picture: picture ?? Buffer.alloc(0) }
}

/** An empty body, or a form that was sent without choosing a file. */
export const requirePicture = (picture: Buffer) =>
  picture.length === 0 ? invalid('picture', 'is required') : picture
