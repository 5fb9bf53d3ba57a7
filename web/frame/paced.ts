/**
 * Runs something soon after it was asked for, and then once a second at most, however often it is asked for: thousands
 * of events must not become thousands of requests.
 */
export const paced = (run: () => unknown, { soonMs = 50, pauseMs = 1_000 } = {}) => {
  let timer: ReturnType<typeof setTimeout> | null = null
  let last = Number.NEGATIVE_INFINITY
  const ask = () => {
    timer ??= setTimeout(
      () => {
        timer = null
        last = Date.now()
        run()
      },
      Math.max(soonMs, last + pauseMs - Date.now()),
    )
  }
  const stop = () => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  return { ask, stop }
}
