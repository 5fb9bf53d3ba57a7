import uPlot from 'uplot'

type Series = { label: string; values: (number | null)[] }

export type ChartProps = {
  title: string
  /** Of the values: "bytes", "USD". */
  unit: string
  format: (value: number) => string
  series: Series[]
  /** Days: the seconds from 1970 to their beginning in UTC. */
  xs: number[]
  formatX?: (seconds: number) => string
  /** There are no halves of these. */
  whole?: boolean
  /** A line that should not be crossed, such as a quota. */
  limit?: { label: string; value: number } | undefined
}

export type Plot = { update(): void; pointAt(at: number | null): void; destroy(): void }

type Props = ChartProps & { onMove: (at: number | null) => void }

const height = 240
const daySeconds = 86_400
const utc = (parts: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { ...parts, timeZone: 'UTC' })
const dayNames = utc({ month: 'short', day: 'numeric' })
const monthNames = utc({ month: 'short', year: 'numeric' })
/** The lines of the scale of time are this many seconds apart. */
const namesFor = (step: number) => (step < 28 * daySeconds ? dayNames : monthNames)
/** From 30 days on they are months, and from 365 on years. */
const daySteps = [1, 2, 3, 5, 7, 14, 30, 60, 90, 180, 365, 730, 1825, 3650].map((days) => days * daySeconds)
/** Steps of an axis of bytes: 1, 2, 5, 10 … 500 of each unit, instead of 1.9 GiB. */
const byteSteps = [0, 1, 2, 3, 4, 5].flatMap((power) =>
  [1, 2, 5, 10, 20, 50, 100, 200, 500].map((step) => step * 1024 ** power),
)
const countSteps = Array.from({ length: 12 }, (_, zeros) => [1, 2, 5].map((n) => n * 10 ** zeros)).flat()
const colours = ['--accent', '--good', '--warn', '--bad']

/** The colours of the theme, resolved: a canvas knows no custom properties, and these are `light-dark()`. */
const themeColour = (within: HTMLElement) => {
  const probe = document.createElement('span')
  probe.hidden = true
  within.append(probe)
  const colourOf = (name: string) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  return { colourOf, done: () => probe.remove() }
}

const dataOf = ({ xs, series, limit }: Props) =>
  [
    xs,
    ...series.map(({ values }) => values),
    ...(limit ? [xs.map(() => limit.value)] : []),
  ] as uPlot.AlignedData

const draw = (within: HTMLElement, props: () => Props) => {
  const { series, limit, format, unit, whole, xs } = props()
  const steps = whole ? countSteps : unit === 'bytes' ? byteSteps : undefined
  const { colourOf, done } = themeColour(within)
  const [line, quiet] = [colourOf('--line'), colourOf('--quiet')]
  const font = `12px ${getComputedStyle(within).fontFamily}`
  const axis = { stroke: quiet, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  const options: uPlot.Options = {
    width: within.clientWidth || 600,
    height,
    legend: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    scales: { y: { range: (_, min, max) => [Math.min(0, min) * 1.1, Math.max(0, max) * 1.1 || 1] } },
    axes: [
      {
        ...axis,
        space: 64,
        size: 32,
        incrs: daySteps,
        values: (_, values, __, ___, step) => values.map((value) => namesFor(step).format(value * 1000)),
      },
      {
        ...axis,
        size: 76,
        values: (_, values) => values.map((value) => format(value)),
        ...(steps ? { incrs: steps } : {}),
      },
    ],
    series: [
      {},
      ...series.map(({ label }, n) => {
        const stroke = colourOf(colours[n % colours.length] as string)
        const fill = stroke.replace(/^rgb\((.*)\)$/, 'rgb($1 / 0.12)').replaceAll(', ', ' ')
        return { label, stroke, width: 2, points: { show: xs.length === 1 }, ...(n === 0 ? { fill } : {}) }
      }),
      ...(limit
        ? [{ label: limit.label, stroke: colourOf('--bad'), width: 1, dash: [6, 4], points: { show: false } }]
        : []),
    ],
    hooks: { setCursor: [(plot) => props().onMove(plot.cursor.idx ?? null)] },
  }
  done()
  return new uPlot(options, dataOf(props()), within)
}

/** Draws a chart into an element, and again when its size or the theme changes. */
export const createPlot = (within: HTMLElement, props: () => Props): Plot => {
  let plot = draw(within, props)
  const redraw = () => {
    plot.destroy()
    plot = draw(within, props)
  }
  const sizes = new ResizeObserver(() => {
    const width = within.clientWidth
    if (width > 0 && width !== plot.width) plot.setSize({ width, height })
  })
  sizes.observe(within)
  const themes = new MutationObserver(redraw)
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', redraw)
  return {
    update: redraw,
    pointAt(at) {
      const x = at === null ? undefined : props().xs[at]
      if (x === undefined || plot.cursor.idx === at) return
      plot.setCursor({ left: plot.valToPos(x, 'x'), top: 10 }, false)
    },
    destroy() {
      sizes.disconnect()
      themes.disconnect()
      system.removeEventListener('change', redraw)
      plot.destroy()
    },
  }
}
