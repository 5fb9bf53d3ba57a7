import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** What can be done by a button of the screen, and as well by its name in the palette. */
export type Act = { label: string; run(): unknown }

export const offered = signal<readonly Act[]>([])

/** A screen that takes longer to appear must not open something by surprise. */
const patienceMs = 30_000
let wanted = { label: '', until: 0 }

/** Does it as soon as a screen offers it: the one to which the palette leads. */
export const want = (label: string) => {
  wanted = { label, until: Date.now() + patienceMs }
}

/** Offers what a button does while it is there. */
export const useAct = (label: string | null, run: () => unknown) => {
  const latest = useRef(run)
  latest.current = run
  useLayoutEffect(() => {
    if (label === null) return
    const act = { label, run: () => latest.current() }
    offered.value = [...offered.value, act]
    if (wanted.label === label && Date.now() < wanted.until) {
      wanted.label = ''
      act.run()
    }
    return () => {
      offered.value = offered.value.filter((other) => other !== act)
    }
  }, [label])
}
