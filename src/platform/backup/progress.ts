/** How a long operation reports its progress. */
export type Progress = {
  step(text: string): void
  count(what: 'rows' | 'blobs' | 'bytes', added: number): void
}

type Output = { isTTY?: boolean; write(text: string): unknown }

const stalledMs = 60_000

export const sizeOf = (bytes: number) => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** power).toFixed(power > 0 ? 1 : 0)} ${units[power]}`
}

/**
 * Shows progress: on a terminal as one line that is updated, elsewhere as a new line every few seconds. It mentions when
 * there has been none for a minute, because a dump that hangs keeps a snapshot open.
 */
export const startProgress = (title: string, output: Output = process.stderr, every?: number) => {
  const counts = { rows: 0, blobs: 0, bytes: 0 }
  let step = 'opening the database'
  let ended = false
  let [last, changedAt] = ['', performance.now()]
  const line = () => {
    const { rows, blobs, bytes } = counts
    const text = `${title}: ${step}, ${rows} rows, ${blobs} blobs, ${sizeOf(bytes)}`
    if (`${text} ${bytes}` !== last) [last, changedAt] = [`${text} ${bytes}`, performance.now()]
    const idle = performance.now() - changedAt
    return idle < stalledMs ? text : `${text} (no progress for ${Math.round(idle / 1000)} s)`
  }
  const show = () => output.write(output.isTTY ? `\r\x1b[2K${line()}` : `${line()}\n`)
  const timer = setInterval(show, every ?? (output.isTTY ? 250 : 5_000))
  timer.unref()
  return {
    step(text: string) {
      step = text
    },
    count(what: keyof typeof counts, added: number) {
      counts[what] += added
    },
    end() {
      if (ended) return
      ended = true
      clearInterval(timer)
      if (output.isTTY) output.write('\r\x1b[2K')
    },
  }
}
