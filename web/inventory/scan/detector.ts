import type { Detector } from './zxing.ts'

type NativeDetector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> }
type NativeDetectorClass = {
  new (options: { formats: string[] }): NativeDetector
  getSupportedFormats(): Promise<string[]>
}

const formats = ['ean_13', 'ean_8', 'upc_a', 'upc_e', 'code_128', 'itf', 'qr_code', 'data_matrix']

/** What the browser has itself, if it knows all that is printed on goods. */
const nativeDetector = async (): Promise<Detector | null> => {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: NativeDetectorClass }
  if (!BarcodeDetector) return null
  const known = await BarcodeDetector.getSupportedFormats().catch((): string[] => [])
  if (!formats.every((format) => known.includes(format))) return null
  const detector = new BarcodeDetector({ formats })
  return async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue)
}

/** The bundled reader is large, and loaded only where the browser has none. */
export const openDetector = async (): Promise<Detector> =>
  (await nativeDetector()) ?? (await import('./zxing.ts')).detect
