import type { ComponentChildren } from 'preact'

export type Tone = 'quiet' | 'good' | 'warn' | 'bad' | 'accent'

/** One word about the state of something. */
export function Badge({ tone = 'quiet', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}
