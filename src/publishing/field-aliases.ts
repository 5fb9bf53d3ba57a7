import type { Module } from './access.ts'

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Bodies may use either form of a field name (`daily_post_limit`, `dailyPostLimit`), whichever is documented. */
export const fieldAliases: Module = (app) => {
  app.addHook('preValidation', (req, _, done) => {
    const schema = req.routeOptions.schema?.body as { properties?: object } | undefined
    const known = schema?.properties
    if (!known || typeof req.body !== 'object' || req.body === null || Array.isArray(req.body)) return done()
    const body = req.body as Record<string, unknown>
    for (const name of Object.keys(body)) {
      if (name in known) continue
      const alias = [camel(name), snake(name)].find((each) => Object.hasOwn(known, each))
      if (alias && !Object.hasOwn(body, alias)) body[alias] = body[name]
    }
    done()
  })
}
