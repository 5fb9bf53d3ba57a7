import assert from 'node:assert/strict'
import type { Client } from '#test/support/client.ts'
import { password } from '#test/support/factories.ts'

/** A form as browsers send it. */
export const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
})

/** The cookie of a browser that signed in, with its attributes. */
export const signIn = async (publishing: Client, email: string) => {
  const { status, headers } = await publishing('POST /sign-in', form({ email, password, next: '/keys' }))
  assert.equal(status, 303)
  assert.equal(headers.get('location'), '/keys')
  return headers.get('set-cookie')!
}

/** A client with the cookie of a sign-in, and the token that its forms carry. */
export const browserOf = async (publishing: Client, email: string) => {
  const cookie = (await signIn(publishing, email)).split(';')[0]!
  const browser = publishing.with({ cookie })
  const token = /name="token" value="([^"]+)"/.exec((await browser('GET /keys')).text)![1]!
  const send = (path: string, fields: Record<string, string> = {}) =>
    browser(`POST ${path}`, form({ token, ...fields }))
  return { browser, token, cookie, send }
}
