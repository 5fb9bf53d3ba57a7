import type { AnyComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ErrorState, Skeleton } from '#web/components/states.tsx'

type Load<Props> = () => Promise<AnyComponent<Props>>

const loaded = new Map<unknown, unknown>()

/** A part of a screen, such as a tab, whose script is loaded when it is first shown. */
export function LazyPart<Props extends object>({ load, props }: { load: Load<Props>; props: Props }) {
  const [, update] = useState(0)
  const [error, setError] = useState<unknown>(null)
  const Content = loaded.get(load) as AnyComponent<Props> | undefined
  useEffect(() => {
    if (Content) return
    load().then((component) => {
      loaded.set(load, component)
      update((n) => n + 1)
    }, setError)
  }, [load])
  if (Content) return <Content {...props} />
  return error ? <ErrorState error={error} retry={() => location.reload()} /> : <Skeleton lines={6} />
}
