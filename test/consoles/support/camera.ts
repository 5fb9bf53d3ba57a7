import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import bwip from 'bwip-js/node'
import sharp from 'sharp'
import { openBrowserWith } from '#test/support/browser.ts'
import { temporaryFolder } from '#test/support/folders.ts'

const [width, height] = [640, 480]
/** Each code is in view for this many frames, at ten in a second. */
const framesOfCode = 5

type Code = { bcid: string; text: string }

/** One picture of a code in grey, as YUV: brightness, and colours that are none. */
const frameOf = async ({ bcid, text }: Code) => {
  const picture = await bwip.toBuffer({
    bcid,
    text,
    scale: 3,
    height: 20,
    padding: 10,
    backgroundcolor: 'FFFFFF',
  })
  const grey = await sharp(picture)
    .resize(width, height, { fit: 'contain', background: '#fff', kernel: 'nearest' })
    .greyscale()
    .raw()
    .toBuffer()
  return Buffer.concat([Buffer.from('FRAME\n'), grey, Buffer.alloc((width * height) / 2, 128)])
}

/** A browser whose camera sees these codes, one after the other, again and again. */
export const openBrowserBefore = async (codes: Code[]) => {
  const file = join(await temporaryFolder('camera'), 'codes.y4m')
  const frames = (await Promise.all(codes.map(frameOf))).flatMap((frame) => Array(framesOfCode).fill(frame))
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`)
  await writeFile(file, Buffer.concat([head, ...frames]))
  return openBrowserWith(['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${file}`])
}
