import { useQueryClient } from '@tanstack/preact-query'
import { count } from '#web/components/format.ts'
import { api, type Count, type Product, type Schemas } from '../api.ts'
import { nameOf } from './words.tsx'

export type Entry = Schemas['CountEntry']

/** What somebody is about to enter a number for. */
export type Target = { product: Product; batch_number?: string; mode: Entry['mode'] }

/** Enters what was seen, and says how many there are by now. */
export const useEnter = ({ id }: Count) => {
  const queries = useQueryClient()
  return async (entry: Entry, idempotencyKey?: string) => {
    const { data } = await api.POST('/api/counts/{id}/entries', {
      params: { path: { id } },
      body: { entries: [entry] },
      ...(idempotencyKey ? { headers: { 'idempotency-key': idempotencyKey } } : {}),
    })
    void queries.invalidateQueries({ queryKey: ['counts'] })
    const [line] = data.lines
    return line ? `${nameOf(line)}: ${count(line.counted_quantity)} counted` : ''
  }
}
