import { readFile, stat } from 'node:fs/promises'
import { codeOf, OperatorError } from '#platform/errors.ts'
import type { FileSetting, Instance } from './settings.ts'

const maxText = 64 * 1024
const maxPicture = 4 * 1024 * 1024
const logoSize = 512

/** Reads what a setting with a file names. `source` is how the operator named it. */
export const readSetting = async (
  name: FileSetting,
  path: string,
  source: string,
): Promise<Pick<Partial<Instance>, FileSetting>> => {
  const max = name === 'logo' ? maxPicture : maxText
  const bytes = await contentOf(path, max, source)
  return { [name]: name === 'logo' ? await asLogo(bytes, source) : asText(bytes, source) }
}

const contentOf = async (path: string, max: number, source: string) => {
  try {
    const { size } = await stat(path)
    if (size > max) throw new OperatorError(`${source} has ${size} bytes, where at most ${max} are allowed`)
    return await readFile(path)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${source} cannot be read (${codeOf(error)})`)
  }
}

const asText = (bytes: Buffer, source: string) => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()
  } catch {
    throw new OperatorError(`${source} is not UTF-8 text`)
  }
}

/** A PNG that fits into a square, whatever picture it was made from. */
const asLogo = async (bytes: Buffer, source: string) => {
  const { default: sharp } = await import('sharp')
  try {
    const fitting = { width: logoSize, height: logoSize, fit: 'inside', withoutEnlargement: true } as const
    return await sharp(bytes).resize(fitting).png().toBuffer()
  } catch (cause) {
    throw new OperatorError(`${source} is not a picture that can be read`, { cause })
  }
}
