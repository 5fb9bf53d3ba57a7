/**
 * Runs something soon after it was asked for, and then once a second at most, however often it is asked for: thousands
 * of events must not become thousands of requests. While they keep coming, the pauses grow to three seconds.
 */
export const paced = (run: () => unknown, { soonMs = 50, pauseMs = 1_000, mostMs = 3_000 } = {}) => {
  let timer: ReturnType<typeof setTimeout> | null = null
  let last = Number.NEGATIVE_INFINITY
  let pause = pauseMs
  const ask = () => {
    if (timer) return
    const left = last + pause - Date.now()
    pause = left > 0 ? Math.min(mostMs, pause + pauseMs) : pauseMs
    timer = setTimeout(
      () => {
        timer = null
        last = Date.now()
        run()
      },
      Math.max(soonMs, left),
    )
  }
  const stop = () => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  return { ask, stop }
}
