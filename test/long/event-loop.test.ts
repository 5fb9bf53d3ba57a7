import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { asSent, type Request, signedInMs, strangersMs, tooLong } from './hostile/requests.ts'
import { type Place, routesAt } from './hostile/routes.ts'
import { isSignedIn, type Visitor, visitors } from './hostile/scene.ts'
import * as shapes from './hostile/shapes.ts'

// No request holds the event loop, and with it everybody else, whatever it is made of: a stranger's for 50 ms, and that of
// somebody who is signed in for 250 ms.

const system = await boot({ env: { WEBHOOKS_ALLOW_PRIVATE: 'on' } })
const { urls } = system

const filled = (url: string, values: Record<string, string>) =>
  url.replace(/:(\w+)(?:\([^)]*\))?|\*/g, (all, name) => values[name ?? all] ?? values.id ?? '1')

/** What reaches a route before it is known who asks. */
const knocks = ({ method, url, body, bodyLimit, isForm }: Place, { values }: Visitor): Request[] => {
  const line = `${method} ${filled(url, values)}`
  const json = { 'content-type': 'application/json' }
  const bodies =
    method === 'GET' || isForm
      ? []
      : [
          ...shapes.anyJson(bodyLimit - 64).slice(0, 3),
          ...shapes.jsonBodies(body, bodyLimit - 64).slice(0, 1),
        ]
  return [
    ...shapes.credentials.map((headers) => ({ line, headers })),
    ...bodies.map((one) => ({ line, headers: json, body: one })),
  ]
}

/** Everything else that can be sent there; with `whole`, also bodies that no route knows, which all of them parse alike. */
const attacksOn = (
  { method, url, names, body, bodyLimit, isForm }: Place,
  { values, token }: Visitor,
  whole = true,
): Request[] => {
  const path = filled(url, values)
  const line = `${method} ${path}`
  const requests: Request[] = [
    ...shapes.headers.map((headers) => ({ line, headers })),
    ...shapes.queries(names).map((query) => ({ line: `${line}?${query}` })),
  ]
  if (path !== url)
    for (const text of shapes.paths)
      requests.push({ line: `${method} ${url.replace(/:(\w+)(?:\([^)]*\))?|\*/, () => text)}` })
  if (method === 'GET') return requests
  if (isForm) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const fields = Object.keys(body?.properties ?? {}).filter((name) => name !== 'token')
    for (const one of shapes.formBodies(fields))
      requests.push({ line, headers, body: `token=${token}&${one}` })
  } else
    for (const one of [
      ...(whole ? shapes.anyJson(bodyLimit - 64) : []),
      ...shapes.jsonBodies(body, bodyLimit - 64),
    ])
      requests.push({ line, headers: { 'content-type': 'application/json' }, body: one })
  return requests
}

const isOpen = async (service: keyof typeof urls, place: Place, { values }: Visitor) => {
  const { status } = await fetch(urls[service] + filled(place.url, values), {
    method: place.method,
    redirect: 'manual',
  })
  return status !== 401 && status !== 403
}

for (const service of ['storage', 'publishing', 'inventory'] as const) {
  const create = visitors(system)[service]
  const places = routesAt(urls[service])

  test(`no stranger holds the event loop with a request to ${service}`, async () => {
    const nobody = await create()
    assert.ok(places.length > 90, `${places.length} routes`)
    const found: string[] = []
    for (const place of places) {
      const attacks = (await isOpen(service, place, nobody)) ? attacksOn(place, nobody) : []
      const requests = [...knocks(place, nobody), ...attacks].map((one) => asSent(urls[service], one))
      found.push(...(await tooLong(requests, strangersMs)))
    }
    assert.deepEqual(found, [])
  })

  test(`nobody who is signed in holds the event loop with a request to ${service}`, async () => {
    let visitor = await create()
    const found: string[] = []
    const first = places.find(({ method, isForm, isPage }) => method === 'POST' && !isForm && !isPage)
    for (const place of places) {
      const own = place.isPage ? visitor.pages : visitor.api
      const requests = attacksOn(place, visitor, place === first).map((one) =>
        asSent(urls[service], { ...one, headers: { ...own, ...one.headers } }),
      )
      found.push(...(await tooLong(requests, signedInMs)))
      if (!(await isSignedIn(system, service, visitor))) visitor = await create()
    }
    assert.deepEqual(found, [])
  })
}
