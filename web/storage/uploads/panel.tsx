import { ChevronDown, ChevronUp, X } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button, IconButton } from '#web/components/button.tsx'
import { bytes, count, counted } from '#web/components/format.ts'
import { ProgressBar } from '#web/components/meter.tsx'
import type { UploadItem, UploadState } from './item.ts'
import { perMinute } from './pace.ts'
import { timeLeft } from './rate.ts'
import { UploadRow } from './upload-row.tsx'
import { changes, mostShown, uploads } from './uploads.ts'

const order: UploadState[] = ['sending', 'failed', 'paused', 'waiting', 'done']

/** Of many that are sent or wait, only some are shown: otherwise all rows would change places every half second. */
const most: Partial<Record<UploadState, number>> = { sending: 7, waiting: 5 }

const shownOf = (items: readonly UploadItem[]) => {
  const kept = items.filter(({ state }) => state !== 'cancelled')
  if (kept.length <= mostShown) return kept
  return order
    .flatMap((state) => {
      const some = kept.filter((item) => item.state === state)
      return some.slice(0, most[state])
    })
    .slice(0, mostShown)
}

type Summary = ReturnType<typeof uploads.summary>

const headline = ({ files, done, failed, isActive, paused }: Summary) => {
  if (isActive || paused > 0) return `${count(done)} of ${counted(files, 'file')}`
  return failed > 0 ? `${counted(failed, 'file')} failed` : `${counted(files, 'file')} uploaded`
}

const details = ({ bytes: total, loaded, perSecond, secondsLeft, isActive }: Summary) =>
  [
    `${bytes(loaded)} of ${bytes(total)}`,
    isActive && perSecond > 0 && `${bytes(perSecond)}/s`,
    isActive && secondsLeft !== null && timeLeft(secondsLeft),
  ]
    .filter(Boolean)
    .join(' · ')

/** What is being uploaded; it stays while screens change. */
export function Uploads() {
  const [isFolded, setFolded] = useState(false)
  changes.value
  const summary = uploads.summary()
  if (summary.files === 0) return null
  const { files, bytes: total, loaded, done, isActive, paused, failed, isPaced } = summary
  const rows = shownOf(uploads.items())
  const isEnded = !isActive && paused === 0
  const several = files > 1
  const text = details(summary)
  return (
    <section class={isFolded ? 'uploads folded' : 'uploads'} aria-label="Uploads">
      <header class="uploads-head">
        <h2>Uploads</h2>
        <span class="quiet" role="status">
          {headline(summary)}
        </span>
        <IconButton
          label={isFolded ? 'Show files' : 'Hide files'}
          icon={isFolded ? ChevronUp : ChevronDown}
          onClick={() => setFolded(!isFolded)}
        />
        {isEnded && <IconButton label="Clear finished" icon={X} onClick={uploads.clear} />}
      </header>
      <div class="uploads-all">
        <ProgressBar
          label="All uploads"
          value={total > 0 ? loaded : done}
          max={total > 0 ? total : files}
          text={text}
          kind={isEnded ? (failed > 0 ? 'failed' : 'done') : isActive ? 'running' : 'paused'}
        />
        <p class="quiet">{text}</p>
        {isPaced && (
          <p class="uploads-pace" role="status">
            The server takes {count(perMinute.limit)} requests a minute. Uploads use{' '}
            {count(perMinute.uploads)} of them and go on at that pace.
          </p>
        )}
        {several && !isEnded && (
          <div class="uploads-actions">
            {isActive && <Button onClick={uploads.pauseAll}>Pause all</Button>}
            {paused > 0 && <Button onClick={uploads.resumeAll}>Resume all</Button>}
            {failed > 0 && <Button onClick={uploads.retryAll}>Retry all</Button>}
            <Button onClick={uploads.cancelAll}>Cancel all</Button>
          </div>
        )}
        {several && isEnded && failed > 0 && (
          <div class="uploads-actions">
            <Button onClick={uploads.retryAll}>Retry all</Button>
          </div>
        )}
      </div>
      {!isFolded && (
        <ul class="uploads-files">
          {rows.map((item) => (
            <UploadRow key={item.id} item={item} />
          ))}
          {files > rows.length && (
            <li class="quiet uploads-more">and {counted(files - rows.length, 'more file')}</li>
          )}
        </ul>
      )}
    </section>
  )
}
