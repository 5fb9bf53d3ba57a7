import type { ComponentChildren } from 'preact'
import { Facts } from '#web/components/card.tsx'
import { count } from '#web/components/format.ts'
import type { TestResult } from './client.ts'

/** What a receiver has answered. */
export function Answer({
  result,
  before = [],
}: {
  result: TestResult
  before?: [string, ComponentChildren][]
}) {
  const { response_status, response_time_ms, response_body, error } = result
  return (
    <div class="stack">
      <Facts
        items={[
          ...before,
          ['Response', response_status === null ? 'None' : `HTTP ${response_status}`],
          ...(response_time_ms === null
            ? []
            : ([['Time', `${count(response_time_ms)} ms`]] as [string, ComponentChildren][])),
          ...(error ? ([['Error', error]] as [string, ComponentChildren][]) : []),
        ]}
      />
      {response_body && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it
        <pre class="snippet" tabIndex={0}>
          {response_body}
        </pre>
      )}
    </div>
  )
}
