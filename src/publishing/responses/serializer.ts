import type { Module } from '../access.ts'
import { writeJson } from './json.ts'

/** Writes the bodies that handlers return, so that what is shared by many is not written again for each. */
export const serializer: Module = (app) => {
  app.setSerializerCompiler(() => (body) => writeJson(body).json)
}
