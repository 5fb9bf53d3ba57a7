import { openDetector } from './detector.ts'

/** Between two looks at the picture. */
const pauseMs = 100
/** A code that stays in view is one scan; shown again after this it is another one. */
const againMs = 1000

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type Watch = {
  video: HTMLVideoElement
  onReady: () => void
  onRead: (text: string) => Promise<unknown>
  signal: AbortSignal
}

/** Shows what the camera sees and reads the codes in it, one after the other, until it is ended. */
export const watchCamera = async ({ video, onReady, onRead, signal }: Watch) => {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  })
  const stop = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) return stop()
  video.srcObject = stream
  const detect = await openDetector()
  await video.play()
  onReady()
  const seen = new Map<string, number>()
  while (!signal.aborted) {
    for (const text of await detect(video)) {
      const isNew = Date.now() - (seen.get(text) ?? 0) > againMs
      seen.set(text, Date.now())
      if (!isNew || signal.aborted) continue
      navigator.vibrate?.(50)
      await onRead(text)
      seen.set(text, Date.now())
    }
    await wait(pauseMs)
  }
}

/** Why there is no picture, and what to do about it. */
export const cameraProblem = (error: unknown) => {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError')
    return 'The browser does not let this page use the camera. Allow it beside the address, and try again.'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'There is no camera on this device.'
  if (name === 'NotReadableError') return 'The camera is used by another program.'
  return 'The camera cannot be used. Type the code, or use a hand scanner.'
}
