import { Type } from 'typebox'

export const Tag = Type.Object({ tag: Type.String({ minLength: 1, pattern: '^[^\\u0000]+$' }) })
