import { CircleAlert, CircleCheck, Pause, Play, RotateCw, X } from 'lucide-preact'
import { useMemo } from 'preact/hooks'
import { IconButton } from '#web/components/button.tsx'
import { bytes } from '#web/components/format.ts'
import { ProgressBar } from '#web/components/meter.tsx'
import { PlainOrder } from '#web/components/plain-order.tsx'
import type { UploadItem, UploadState } from './item.ts'
import { timeLeft } from './rate.ts'
import { uploads } from './uploads.ts'

const kinds: Record<UploadState, 'running' | 'paused' | 'failed' | 'done'> = {
  waiting: 'paused',
  sending: 'running',
  paused: 'paused',
  done: 'done',
  failed: 'failed',
  cancelled: 'paused',
}

const stateOf = ({ state, held, error, loaded, size, perSecond }: UploadItem) => {
  if (state === 'failed') return error ?? 'Failed'
  if (state === 'done') return `${bytes(size)} · Uploaded`
  const amount = `${bytes(loaded)} of ${bytes(size)}`
  if (state === 'paused') return `${amount} · Paused`
  if (state === 'waiting') return `${bytes(size)} · Waiting`
  if (held === 'connection') return `${amount} · Waiting for the connection`
  if (held === 'limit') return `${amount} · Waiting for the rate limit`
  if (perSecond <= 0) return amount
  return `${amount} · ${bytes(perSecond)}/s · ${timeLeft((size - loaded) / perSecond)}`
}

/** One file: its progress, and what can be done with it. Made anew only when something of it has changed. */
export function UploadRow({ item }: { item: UploadItem }) {
  const { state, held, error, loaded, perSecond } = item
  return useMemo(() => rowOf(item), [item, state, held, error, loaded, perSecond])
}

const rowOf = (item: UploadItem) => {
  const { id, key, state, loaded, size, bucketName } = item
  const text = stateOf(item)
  const isEnded = state === 'done' || state === 'failed'
  const share = size > 0 ? loaded : state === 'done' ? 1 : 0
  return (
    <li class={`upload ${state}`}>
      <div class="upload-name">
        <bdi title={`${bucketName}/${key}`}>
          <PlainOrder text={key.slice(key.lastIndexOf('/') + 1)} />
        </bdi>
      </div>
      <ProgressBar label={key} value={share} max={size || 1} text={text} kind={kinds[state]} />
      <div class="upload-state">
        {state === 'failed' && <CircleAlert size={14} aria-hidden="true" />}
        {state === 'done' && <CircleCheck size={14} aria-hidden="true" />}
        <span>{text}</span>
      </div>
      <div class="upload-actions">
        {(state === 'sending' || state === 'waiting') && (
          <IconButton label="Pause" icon={Pause} onClick={() => uploads.pause(id)} />
        )}
        {state === 'paused' && <IconButton label="Resume" icon={Play} onClick={() => uploads.resume(id)} />}
        {state === 'failed' && <IconButton label="Retry" icon={RotateCw} onClick={() => uploads.retry(id)} />}
        {!(isEnded && state === 'done') && (
          <IconButton label="Cancel" icon={X} onClick={() => uploads.cancel(id)} />
        )}
      </div>
    </li>
  )
}
