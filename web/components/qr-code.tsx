import { useEffect, useState } from 'preact/hooks'
import { ErrorState, Skeleton } from './states.tsx'

/** Around a code there must be four empty squares. */
const margin = 4

/** A QR code. What draws it is loaded when one is shown. Always dark on light, which every reader understands. */
export function QrCode({ text, label = 'QR code' }: { text: string; label?: string }) {
  const [code, setCode] = useState<{ path: string; size: number } | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isGone = false
    import('./qr-path.ts').then(({ qrPath }) => isGone || setCode(qrPath(text)), setError)
    return () => {
      isGone = true
    }
  }, [text])
  if (error) return <ErrorState error={error} />
  if (!code) return <Skeleton lines={4} />
  const side = code.size + 2 * margin
  return (
    <svg class="qr-code" role="img" viewBox={`0 0 ${side} ${side}`} shape-rendering="crispEdges">
      <title>{label}</title>
      <rect width={side} height={side} fill="#fff" />
      <path d={code.path} transform={`translate(${margin} ${margin})`} fill="#000" />
    </svg>
  )
}
