import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm'

/** Reads the codes that a camera sees right now. */
export type Detector = (video: HTMLVideoElement) => Promise<string[]>

// Otherwise it would be fetched from another host.
prepareZXingModule({ overrides: { locateFile: () => new URL(wasm, import.meta.url).href } })

const options: ReaderOptions = {
  formats: [
    'EAN13',
    'EAN8',
    'UPCA',
    'UPCE',
    'Code128',
    'ITF14',
    'DataBar',
    'DataBarExp',
    'QRCode',
    'DataMatrix',
  ],
  textMode: 'Plain',
}

const canvas = document.createElement('canvas')
const context = canvas.getContext('2d', { willReadFrequently: true })

/** As a hand scanner would type it: the kind of code, so that GS1 is known, and what it says. */
export const detect: Detector = async (video) => {
  const { videoWidth, videoHeight } = video
  if (!context || videoWidth === 0) return []
  canvas.width = videoWidth
  canvas.height = videoHeight
  context.drawImage(video, 0, 0)
  const found = await readBarcodes(context.getImageData(0, 0, videoWidth, videoHeight), options)
  return found.map(({ symbologyIdentifier, text }) => symbologyIdentifier + text)
}
