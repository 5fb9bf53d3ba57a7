import type { App } from './app.ts'

/** Declares routes that have hooks and parsers of their own, with the type of the surrounding app. */
export const scoped = <A extends Pick<App, 'register'>>(
  app: A,
  declare: (scope: A) => void | Promise<void>,
) =>
  // biome-ignore lint/nursery/noMisusedPromises: the framework waits for the promise of a plugin
  app.register(async (scope) => {
    await declare(scope as unknown as A)
  })
