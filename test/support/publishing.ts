import assert from 'node:assert/strict'
import type { Client } from './client.ts'

/** Writes a post, which must succeed, and returns it. */
export const writePost = async ({ api }: { api: Client }, content: string, more: object = {}) => {
  const { status, body, text } = await api('POST /api/posts', { body: { content, ...more } })
  assert.equal(status, 201, text)
  return body.data.post
}
