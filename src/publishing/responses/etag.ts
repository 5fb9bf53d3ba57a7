import { hash } from 'node:crypto'

export const digestOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 27)

/** The same for the same text on every node. */
export const etagOf = (text: string) => `"${digestOf(text)}"`
