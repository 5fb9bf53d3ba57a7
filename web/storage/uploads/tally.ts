import type { UploadItem, UploadState } from './item.ts'
import { perMinute } from './pace.ts'
import { createMeter, secondsLeft } from './rate.ts'

/** Counts files by their states, and bytes: of 10,000 files nobody wants to add them up at every change. */
export const createTally = (onChange: () => void, now: () => number) => {
  const counts = { waiting: 0, sending: 0, paused: 0, done: 0, failed: 0, cancelled: 0 }
  const bytes = { total: 0, loaded: 0 }
  const meter = createMeter(now)
  const meters = new Map<number, ReturnType<typeof createMeter>>()
  const isActive = () => counts.sending + counts.waiting > 0

  return {
    counts: counts as Readonly<typeof counts>,
    add({ state, size }: UploadItem) {
      counts[state]++
      bytes.total += size
    },
    become(item: UploadItem, state: UploadState) {
      counts[item.state]--
      counts[state]++
      if (state === 'cancelled') {
        bytes.total -= item.size
        bytes.loaded -= item.loaded
      }
      Object.assign(item, { state, held: null, perSecond: 0 })
      meters.delete(item.id)
      if (!isActive()) meter.reset()
      onChange()
    },
    progress(item: UploadItem, loaded: number) {
      bytes.loaded += loaded - item.loaded
      meter.note(bytes.loaded)
      const own = meters.get(item.id) ?? createMeter(now)
      meters.set(item.id, own)
      own.note(loaded)
      Object.assign(item, { loaded, held: null, perSecond: own.perSecond() })
      onChange()
    },
    /** Only these are left; none of them has ended. */
    keep(items: readonly UploadItem[]) {
      Object.assign(counts, { done: 0, failed: 0, cancelled: 0 })
      bytes.total = items.reduce((sum, { size }) => sum + size, 0)
      bytes.loaded = items.reduce((sum, { loaded }) => sum + loaded, 0)
      onChange()
    },
    /** Whether anything is being sent or waits to be. */
    isActive,
    summary(isPaced: boolean) {
      const { cancelled, ...files } = counts
      const perSecond = meter.perSecond()
      const waiting = isPaced ? counts.waiting : 0
      return {
        ...files,
        files: Object.values(files).reduce((sum, n) => sum + n, 0),
        bytes: bytes.total,
        loaded: bytes.loaded,
        perSecond,
        secondsLeft: isActive()
          ? secondsLeft(bytes.total - bytes.loaded, perSecond, waiting, perMinute.uploads)
          : null,
        isActive: isActive(),
        isPaced: waiting > 0,
      }
    },
  }
}
