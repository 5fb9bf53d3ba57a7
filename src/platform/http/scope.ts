import type { App } from './app.ts'

/** Declares routes that have hooks and parsers of their own, with the type of the surrounding app. */
export const scoped = <A extends Pick<App, 'register'>>(
  app: A,
  declare: (scope: A) => void | Promise<void>,
) =>
  app.register((scope, _options, done) => {
    Promise.try(declare, scope as unknown as A).then(() => done(), done)
  })
