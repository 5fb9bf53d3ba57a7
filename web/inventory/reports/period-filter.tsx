import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { DateFilter, Filter } from '#web/components/filter.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { dayIn, presetsOf } from './period.ts'
import { financialQuery } from './queries.ts'

/** The days that the address asks for. */
export const usePeriod = () => {
  const [query] = useQueryParams()
  const [from, to] = [dayIn(query.from), dayIn(query.to)]
  return { from, to, isChosen: from !== undefined || to !== undefined }
}

/** Which days a report is about: some that people often ask for, or any. */
export function PeriodFilter({ shown, children }: { shown: Shown; children?: ComponentChildren }) {
  const [query, change] = useQueryParams()
  // Only the service knows which day it is for the company.
  const { data: usual } = useQuery(financialQuery({ group_by: 'day' }))
  const set = (days: { from: string | null; to: string | null }) => change({ ...days, page: null })
  const presets = usual ? presetsOf(usual.to) : []
  const [first] = presets
  const current = presets.find(({ from, to }) => from === shown?.from && to === shown.to)
  const choose = (label: string) => {
    const { from, to } = presets.find((one) => one.label === label) ?? { from: null, to: null }
    set(label === first?.label ? { from: null, to: null } : { from, to })
  }
  return (
    <div class="toolbar">
      <Filter
        label="Period"
        value={current?.label ?? ''}
        options={[
          ...(current ? [] : [{ value: '', label: 'Other days' }]),
          ...presets.map(({ label }) => ({ value: label, label })),
        ]}
        onChange={choose}
      />
      <DateFilter
        label="From"
        value={query.from ?? shown?.from ?? ''}
        onChange={(from) => set({ from, to: query.to ?? null })}
      />
      <DateFilter
        label="To"
        value={query.to ?? shown?.to ?? ''}
        onChange={(to) => set({ from: query.from ?? null, to })}
      />
      {children}
    </div>
  )
}

type Shown = { from: string; to: string } | undefined
