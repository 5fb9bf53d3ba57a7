import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { ChartProps, Plot } from './chart-plot.ts'
import { ErrorState, Skeleton } from './states.tsx'

const usualX = (seconds: number) =>
  new Date(seconds * 1000).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** A chart with axes, a tooltip and keys, and the same numbers as a table. The drawing is loaded when one is shown. */
export function Chart(props: ChartProps) {
  const { title, unit, format, series, xs, formatX = usualX, limit } = props
  const [at, setAt] = useState<number | null>(null)
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const last = xs.length - 1

  const onKey = (event: KeyboardEvent) => {
    const from = at ?? (event.key === 'ArrowLeft' ? xs.length : -1)
    const next: Record<string, number> = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }
    const target = next[event.key]
    if (target === undefined) return
    event.preventDefault()
    setAt(Math.max(0, Math.min(last, target)))
  }

  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption class="chart-head">
        <h2 id={id}>{title}</h2>
        <ul class="legend">
          {series.map(({ label }, n) => (
            <li key={label} class={`series-${n}`}>
              {label}
            </li>
          ))}
          {limit && <li class="series-limit">{limit.label}</li>}
        </ul>
        <button
          type="button"
          class="button plain small"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          Show as table
        </button>
      </figcaption>
      {asTable ? (
        <ChartTable {...props} formatX={formatX} />
      ) : (
        <div
          class="chart-area"
          role="application"
          aria-roledescription="chart"
          aria-label={`${title}, in ${unit}. Use the arrow keys to read the values.`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the cursor of the chart
          tabIndex={0}
          onKeyDown={onKey}
          onBlur={() => setAt(null)}
        >
          <Drawing {...props} at={at} onMove={setAt} />
          <p class={at === null ? 'chart-tip idle' : 'chart-tip'} role="status">
            {at !== null && xs[at] !== undefined && (
              <>
                <strong>{formatX(xs[at])}</strong>
                {series.map(({ label, values }) => (
                  <span key={label}>
                    {label}: {formatted(values[at], format)}
                  </span>
                ))}
              </>
            )}
          </p>
        </div>
      )}
    </figure>
  )
}

const formatted = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? '–' : format(value)

const Drawing = (props: ChartProps & { at: number | null; onMove: (at: number | null) => void }) => {
  const { series, xs, limit, at } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>()
  const latest = useRef(props)
  latest.current = props
  const [error, setError] = useState<unknown>(null)
  const [isReady, setReady] = useState(false)

  useEffect(() => {
    let ended = false
    const draw = async () => {
      const { createPlot } = await import('./chart-plot.ts')
      if (ended || !place.current) return
      plot.current = createPlot(place.current, () => latest.current)
      setReady(true)
    }
    draw().catch(setError)
    return () => {
      ended = true
      plot.current?.destroy()
    }
  }, [])
  useEffect(() => plot.current?.update(), [series, xs, limit, isReady])
  useEffect(() => plot.current?.pointAt(at), [at])

  return (
    <>
      {error ? <ErrorState error={error} /> : !isReady && <Skeleton lines={4} />}
      <div class="chart-plot" ref={place} aria-hidden="true" />
    </>
  )
}

const ChartTable = ({
  title,
  series,
  xs,
  format,
  formatX,
}: ChartProps & { formatX: (x: number) => string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it
  <section class="table-scroll chart-table" tabIndex={0} aria-label={`${title} as a table`}>
    <table aria-label={title}>
      <thead>
        <tr>
          <th scope="col">Date</th>
          {series.map(({ label }) => (
            <th key={label} scope="col" class="end">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {xs.map((x, n) => (
          <tr key={x}>
            <td>{formatX(x)}</td>
            {series.map(({ label, values }) => (
              <td key={label} class="end">
                {formatted(values[n], format)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
