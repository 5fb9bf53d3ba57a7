import type { Readable } from 'node:stream'
import { refuse } from '../errors.ts'

/** A form that a browser posts: its fields by their names in lower case, and the file, which comes last. */
export type Form = {
  fields: Map<string, string>
  fileName: string
  /** Fails unless the whole form arrives. */
  file: AsyncGenerator<Buffer>
}

/** S3's limit of everything before the file. */
const maxBytesBeforeFile = 20 * 1024

const maxDispositionLength = 2048

const malformed = (message?: string): never => refuse('MalformedPOSTRequest', message)

const formType = /^multipart\/form-data[ \t]*;(.*)$/is

export const isFormType = (contentType: string) => formType.test(contentType)

const boundaryOf = (contentType: string) => {
  const [, parameters = ''] = formType.exec(contentType) ?? []
  const [, quoted, plain] =
    /(?:^|;)[ \t]*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(parameters) ?? []
  return quoted ?? plain ?? malformed()
}

// Quotation marks inside may be escaped. A backslash must fit one alternative only, or each doubles the work.
const parameters = {
  name: /;[ \t]*name=(?:"((?:\\.|[^"\\])*)"|([^\s;"]+))/i,
  filename: /;[ \t]*filename=(?:"((?:\\.|[^"\\])*)"|([^\s;"]+))/i,
}

const parameterOf = (header: string, name: keyof typeof parameters) => {
  const [, quoted, plain] = parameters[name].exec(header) ?? []
  return quoted?.replace(/\\(["\\])/g, '$1') ?? plain
}

const describedIn = (headers: string) => {
  const disposition =
    headers.split('\r\n').find((line) => /^content-disposition[ \t]*:[ \t]*form-data/i.test(line)) ??
    malformed()
  if (disposition.length > maxDispositionLength) malformed('The names of a form are too long')
  const name = parameterOf(disposition, 'name') ?? malformed()
  return { name: name.toLowerCase(), fileName: parameterOf(disposition, 'filename') ?? '' }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const textOf = (bytes: Buffer) => {
  try {
    return utf8.decode(bytes)
  } catch {
    return malformed('The fields of a form must be UTF-8')
  }
}

/** Finds marks in a stream, and holds no more of it than it must. */
class Scanner {
  readonly #source: AsyncIterator<Buffer>
  #held: Buffer
  #taken = 0

  /** `before` is read first. */
  constructor(source: Readable, before: string) {
    this.#source = source.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
    this.#held = Buffer.from(before)
  }

  async #more() {
    const { done, value } = await this.#source.next()
    if (done) return malformed()
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value])
  }

  /** The text before a mark, which must come before the file. */
  async until(mark: Buffer): Promise<string> {
    for (;;) {
      const at = this.#held.indexOf(mark)
      if (this.#taken + (at < 0 ? this.#held.length - mark.length : at) > maxBytesBeforeFile)
        refuse('MaxPostPreDataLengthExceeded')
      if (at < 0) {
        await this.#more()
        continue
      }
      const text = textOf(this.#held.subarray(0, at))
      this.#held = this.#held.subarray(at + mark.length)
      this.#taken += at + mark.length
      return text
    }
  }

  /** Everything before a mark, as it arrives. */
  async *streamUntil(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(mark)
      // A mark may have begun at the end of what is here.
      const end = at < 0 ? this.#held.length - mark.length + 1 : at
      if (end > 0) yield this.#held.subarray(0, end)
      this.#held = this.#held.subarray(at < 0 ? Math.max(end, 0) : at + mark.length)
      if (at >= 0) return
      await this.#more()
    }
  }

  /** Reads what is left and drops it. */
  async skip() {
    while (!(await this.#source.next()).done);
  }
}

const lineEnd = Buffer.from('\r\n')
const headerEnd = Buffer.from('\r\n\r\n')

/** Reads a form up to its file. Whatever follows the file is ignored. */
export const readForm = async (body: Readable, contentType: string): Promise<Form> => {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`)
  const scanner = new Scanner(body, '\r\n')
  const fields = new Map<string, string>()
  await scanner.until(delimiter)
  for (;;) {
    const rest = await scanner.until(lineEnd)
    if (rest.startsWith('--'))
      return refuse('InvalidArgument', 'POST requires exactly one file upload per request.', {
        fields: { ArgumentName: 'file', ArgumentValue: '0' },
      })
    if (rest.trim() !== '') malformed()
    const { name, fileName } = describedIn(await scanner.until(headerEnd))
    if (name === 'file') return { fields, fileName, file: fileOf(scanner, delimiter) }
    if (fields.has(name))
      refuse('InvalidArgument', `The form has more than one field ${name}`, {
        fields: { ArgumentName: name, ArgumentValue: '' },
      })
    fields.set(name, await scanner.until(delimiter))
  }
}

const fileOf = async function* (scanner: Scanner, delimiter: Buffer) {
  yield* scanner.streamUntil(delimiter)
  await scanner.skip()
}
