import type { App } from './service.ts'

/** Declares routes that have hooks and parsers of their own. */
export const scoped = (app: App, declare: (scope: App) => void | Promise<void>) =>
  // biome-ignore lint/nursery/noMisusedPromises: the framework waits for the promise of a plugin
  app.register(async (scope) => {
    await declare(scope as unknown as App)
  })
