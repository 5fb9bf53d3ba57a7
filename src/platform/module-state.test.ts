import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'
import { moduleState } from './module-state.ts'
import type { Platform } from './platform.ts'

const platform = () => ({ moduleStates: new Map() }) as unknown as Platform

test('module state is created on first use and then kept', () => {
  let created = 0
  const counter = moduleState(() => {
    created++
    return { hits: 0 }
  })
  const ctx = platform()
  assert.equal(created, 0)
  counter(ctx).hits++
  counter(ctx).hits++
  assert.equal(counter(ctx).hits, 2)
  assert.equal(created, 1)
})

test('two platforms in one process have separate module states', () => {
  const names = moduleState(() => new Set<string>())
  const [one, other] = [platform(), platform()]
  names(one).add('ann')
  assert.deepEqual([...names(other)], [])
})

test('two declarations on one platform are separate states', () => {
  const create = () => new Set<string>()
  const [one, other] = [moduleState(create), moduleState(create)]
  const ctx = platform()
  one(ctx).add('ann')
  assert.deepEqual([...other(ctx)], [])
})

test('module state sees the context of the service that shares the platform', () => {
  type Context = Platform & { greeting: string }
  const greeting = moduleState(({ greeting }: Context) => greeting)
  assert.equal(greeting({ ...platform(), greeting: 'hello' }), 'hello')
})

test('module state that is created inside an asynchronous context does not belong to it', () => {
  const unit = new AsyncLocalStorage<string>()
  const outside = moduleState(() => AsyncLocalStorage.snapshot())
  const ctx = platform()
  unit.run('the first request', () => outside(ctx))
  assert.equal(
    outside(ctx)(() => unit.getStore()),
    undefined,
  )
})
