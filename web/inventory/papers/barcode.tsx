import { useEffect, useState } from 'preact/hooks'
import { ErrorState } from '#web/components/states.tsx'
import type { Barcode } from '../api.ts'
import type { Bars } from './bars.ts'

/** The widest that a bar of one unit needs to be, in points. */
const widest = 1.2

const names = { code128: 'Code 128', qrcode: 'QR code', gs1qrcode: 'GS1 QR code' }

const loadBars = () => import('./bars.ts')

/** Resolves when all codes are shown: without them a paper must not be printed. */
export const codesShown = async () => {
  await loadBars()
  await new Promise(requestAnimationFrame)
}

/** A code to scan. What draws it is large, and loaded when one is shown. */
export function BarcodeImage({ code }: { code: Barcode }) {
  const [bars, setBars] = useState<Bars | null>(null)
  const [error, setError] = useState<unknown>(null)
  const { symbology, text } = code
  useEffect(() => {
    let isGone = false
    loadBars()
      .then(({ barsOf }) => isGone || setBars(barsOf({ symbology, text })))
      .catch(setError)
    return () => {
      isGone = true
    }
  }, [symbology, text])
  if (error) return <ErrorState error={error} />
  if (!bars) return <div class={`barcode ${symbology}`} role="status" aria-label="Loading" />
  const { path, width, height, quiet } = bars
  const isSquare = height > 1
  const sides = isSquare ? quiet : 0
  return (
    <svg
      class={`barcode ${symbology}`}
      role="img"
      viewBox={`${-quiet} ${-sides} ${width + 2 * quiet} ${height + 2 * sides}`}
      width={isSquare ? undefined : `${(width + 2 * quiet) * widest}pt`}
      preserveAspectRatio={isSquare ? undefined : 'none'}
      shape-rendering="crispEdges"
    >
      <title>{`${names[symbology]}: ${text}`}</title>
      <path d={path} fill="#000" fill-rule="evenodd" />
    </svg>
  )
}
