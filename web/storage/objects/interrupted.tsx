import { RotateCcw } from 'lucide-preact'
import { useRef, useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { bytes } from '#web/components/format.ts'
import { toast } from '#web/components/toast.tsx'
import type { Bucket } from '../api.ts'
import type { Interrupted as Known } from '../uploads/memory.ts'
import { changes, continueUpload, discardUpload, interruptedIn } from '../uploads/uploads.ts'
import { attempt } from './actions.ts'
import { shownName } from './paths.ts'

/** Large uploads of this browser that ended with their tab: they go on when the same file is chosen again. */
export function Interrupted({ bucket }: { bucket: Bucket }) {
  const [, update] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const wanted = useRef<Known | null>(null)
  changes.value
  const known = interruptedIn(bucket.id)
  if (known.length === 0) return null
  const chosen = (file: File | undefined) => {
    if (!file || !wanted.current) return
    if (!continueUpload(wanted.current, file))
      toast('That is another file: choose the one whose upload was interrupted', { bad: true })
  }
  const discard = (upload: Known) =>
    attempt(async () => {
      await discardUpload(upload)
      update((n) => n + 1)
    })
  return (
    <section class="interrupted" aria-label="Interrupted uploads">
      <input
        ref={input}
        hidden
        type="file"
        onChange={({ currentTarget }) => chosen(currentTarget.files?.[0])}
      />
      {known.map((upload) => (
        <div key={upload.uploadId} class="interrupted-one">
          <RotateCcw size={16} aria-hidden="true" />
          <p>
            The upload of <strong>{shownName(upload.key)}</strong> ({bytes(upload.size)}) was interrupted.
            Choose <bdi>{upload.fileName}</bdi> again to go on with what is missing.
          </p>
          <Button
            onClick={() => {
              wanted.current = upload
              if (input.current) input.current.value = ''
              input.current?.click()
            }}
          >
            Choose file
          </Button>
          <Button onClick={() => discard(upload)}>Discard</Button>
        </div>
      ))}
    </section>
  )
}
