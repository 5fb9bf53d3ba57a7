import { ScanBarcode } from 'lucide-preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, IconButton } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { describeError } from '#web/components/errors.ts'
import { cameraProblem, watchCamera } from './watch-camera.ts'

/** Takes what was scanned. Resolves to what became of it, and rejects with what is wrong with it. */
export type OnScan = (text: string) => Promise<string | undefined>

/** Opens the camera, which reads one code after the other; after a scan that needs more to be entered it closes. */
export function CameraButton({ onScan }: { onScan: OnScan }) {
  const [isOpen, setOpen] = useState(false)
  if (!navigator.mediaDevices) return null
  return (
    <>
      <IconButton label="Open camera" icon={ScanBarcode} onClick={() => setOpen(true)} />
      {isOpen && <Camera onScan={onScan} onClose={() => setOpen(false)} />}
    </>
  )
}

const Camera = ({ onScan, onClose }: { onScan: OnScan; onClose: () => void }) => {
  const video = useRef<HTMLVideoElement>(null)
  const latest = useRef(onScan)
  latest.current = onScan
  const [isReady, setReady] = useState(false)
  const [problem, setProblem] = useState('')
  const [said, setSaid] = useState({ text: '', isBad: false })
  const [attempt, setAttempt] = useState(0)

  const read = async (text: string) => {
    try {
      const done = await latest.current(text)
      if (done === undefined) onClose()
      else setSaid({ text: done, isBad: false })
    } catch (error) {
      setSaid({ text: describeError(error).message, isBad: true })
    }
  }
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    setProblem('')
    if (video.current)
      watchCamera({ video: video.current, onReady: () => setReady(true), onRead: read, signal }).catch(
        (error) => signal.aborted || setProblem(cameraProblem(error)),
      )
    return () => ending.abort()
  }, [attempt])

  return (
    <Dialog title="Scan with camera" careless onClose={onClose}>
      <div class="camera" hidden={problem !== ''}>
        <video ref={video} muted playsInline aria-label="Camera" />
      </div>
      {problem ? (
        <p class="problem" role="alert">
          {problem}
        </p>
      ) : (
        <p class={said.isBad ? 'field-error' : undefined} role="status">
          {said.text || (isReady ? 'Hold a barcode in front of the camera.' : 'Starting the camera…')}
        </p>
      )}
      <div class="form-actions">
        {problem && (
          <Button kind="primary" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </Button>
        )}
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  )
}
