import { AsyncLocalStorage } from 'node:async_hooks'
import type { Platform } from './platform.ts'

/**
 * Declares something that a module keeps while the system runs, such as the cache of its data:
 *
 *     export const accounts = moduleState(({ db, signals }: Platform) => signalledCache(signals, …))
 *     … await accounts(ctx).get(id)
 *
 * The state is created on first use, once per platform. That way a module owns its state, and the context of a service
 * does not have to know the types of all of its modules.
 */
export const moduleState = <Context extends Platform, State>(create: (ctx: Context) => State) => {
  const key = Symbol('module state')
  // The request that happens to come first must not own the state: its unit of work would stay with it.
  const outside = AsyncLocalStorage.snapshot()
  return (ctx: Context): State => {
    const known = ctx.moduleStates.get(key)
    if (known !== undefined) return known as State
    const state = outside(create, ctx)
    ctx.moduleStates.set(key, state)
    return state
  }
}
