/** What long work tells whoever waits for it. */
export type Progress = {
  step(text: string): void
  count(what: 'rows' | 'blobs' | 'bytes', more: number): void
}

type Output = { isTTY?: boolean; write(text: string): unknown }

const stalledMs = 60_000

export const sizeOf = (bytes: number) => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** power).toFixed(power > 0 ? 1 : 0)} ${units[power]}`
}

/**
 * Shows how far long work has come: on a terminal in one line that changes, elsewhere in a line every few seconds. When
 * nothing moves for a while it says so, because a dump on a target that stands still holds a snapshot open.
 */
export const startProgress = (title: string, output: Output = process.stderr, every?: number) => {
  const counts = { rows: 0, blobs: 0, bytes: 0 }
  let step = 'opening the database'
  let over = false
  let [last, movedAt] = ['', performance.now()]
  const line = () => {
    const { rows, blobs, bytes } = counts
    const text = `${title}: ${step}, ${rows} rows, ${blobs} blobs, ${sizeOf(bytes)}`
    if (`${text} ${bytes}` !== last) [last, movedAt] = [`${text} ${bytes}`, performance.now()]
    const still = performance.now() - movedAt
    return still < stalledMs ? text : `${text} (nothing has moved for ${Math.round(still / 1000)} s)`
  }
  const show = () => output.write(output.isTTY ? `\r\x1b[2K${line()}` : `${line()}\n`)
  const timer = setInterval(show, every ?? (output.isTTY ? 250 : 5_000))
  timer.unref()
  return {
    step(text: string) {
      step = text
    },
    count(what: keyof typeof counts, more: number) {
      counts[what] += more
    },
    end() {
      if (over) return
      over = true
      clearInterval(timer)
      if (output.isTTY) output.write('\r\x1b[2K')
    },
  }
}
