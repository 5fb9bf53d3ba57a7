/** Writes bytes to standard output as fast as they are read there; ends early if nobody reads any more. */
export const writeOut = async (chunks: AsyncIterable<Uint8Array>) => {
  const { stdout } = process
  for await (const chunk of chunks) {
    if (stdout.destroyed) return
    if (stdout.write(chunk)) continue
    await new Promise<void>((resolve) => {
      stdout.once('drain', resolve)
      stdout.once('close', resolve)
    })
  }
}
