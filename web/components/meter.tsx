import { percent } from './format.ts'

type MeterProps = {
  label: string
  value: number
  /** null: there is no limit. */
  max: number | null
  format: (n: number) => string
}

const levelOf = (share: number) => (share >= 0.95 ? 'bad' : share >= 0.8 ? 'warn' : 'good')

/** How much of a quota is used. */
export function Meter({ label, value, max, format }: MeterProps) {
  const share = max ? Math.min(1, value / max) : 0
  return (
    <div class="meter">
      <div class="meter-words">
        <span class="meter-label">{label}</span>
        <span>
          {max === null ? format(value) : `${format(value)} of ${format(max)} (${percent(value, max)})`}
        </span>
      </div>
      {max !== null && (
        // biome-ignore lint/a11y/useSemanticElements: a native meter cannot be styled alike in all browsers
        <div
          class={`meter-bar ${levelOf(share)}`}
          role="meter"
          aria-label={label}
          aria-valuenow={value}
          aria-valuemin={0}
          aria-valuemax={max}
          aria-valuetext={`${format(value)} of ${format(max)}`}
        >
          <div style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  )
}

type ProgressProps = {
  label: string
  value: number
  /** null: nobody knows how long it will take. */
  max: number | null
  text?: string
  kind?: 'running' | 'paused' | 'failed' | 'done'
}

export function ProgressBar({ label, value, max, text, kind = 'running' }: ProgressProps) {
  const share = max ? Math.min(1, value / max) : 0
  return (
    <div
      class={`progress ${kind}${max === null ? ' endless' : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={max === null ? undefined : Math.round(share * 100)}
      aria-valuetext={text}
    >
      <div style={max === null ? {} : { transform: `translateX(${(share - 1) * 100}%)` }} />
    </div>
  )
}
