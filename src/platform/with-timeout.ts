/** The result of `work`, or an error if there is none after `ms`. `work` itself is not stopped. */
export const withTimeout = async <T>(ms: number, work: PromiseLike<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
