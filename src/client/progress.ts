import { showProgress } from '#platform/progress.ts'
import { sizeOf } from '#platform/sizes.ts'
import type { Storage } from './credentials.ts'

const barWidth = 20

const bar = (share: number) => {
  const filled = Math.round(Math.min(1, share) * barWidth)
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`
}

const duration = (seconds: number) => {
  if (!Number.isFinite(seconds)) return 'a while'
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  return whole < 3600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

const reasons = { limit: "for the server's rate limit", connection: 'to reconnect' }

/** Shows how many files and bytes have been moved, how fast, how long the rest will take, and what it waits for. */
export const showTransfer = ({ waiting }: Pick<Storage, 'waiting'>) => {
  const started = performance.now()
  const counts = { files: 0, of: 0, bytes: 0, ofBytes: 0 }
  let isKnown = false
  const line = () => {
    const seconds = (performance.now() - started) / 1000
    const rate = counts.bytes / Math.max(seconds, 0.001)
    const moved = `${sizeOf(counts.bytes)}${isKnown ? ` of ${sizeOf(counts.ofBytes)}` : ''}`
    const files = `${counts.files}${isKnown ? ` of ${counts.of}` : ''} files`
    const pause = (waiting.until - Date.now()) / 1000
    if (pause > 1) return `${moved} · ${files} · waiting ${duration(pause)} ${reasons[waiting.reason]}`
    const left = isKnown && rate > 0 ? ` · ${duration((counts.ofBytes - counts.bytes) / rate)} left` : ''
    const share = isKnown && counts.ofBytes > 0 ? `${bar(counts.bytes / counts.ofBytes)} ` : ''
    return `${share}${moved} · ${sizeOf(rate)}/s${left} · ${files}`
  }
  const { end } = showProgress({ line, mark: () => counts.bytes + counts.files })
  return {
    counts,
    /** One more file will be moved. */
    expect(bytes: number) {
      counts.of++
      counts.ofBytes += bytes
    },
    /** There will be no others. */
    known() {
      isKnown = true
    },
    bytes(added: number) {
      counts.bytes += added
    },
    done() {
      counts.files++
    },
    end,
    seconds: () => (performance.now() - started) / 1000,
  }
}
