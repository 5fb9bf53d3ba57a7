import { counted } from '#web/components/format.ts'
import { none } from '../shared/none.tsx'

export const leadTime = (days: number | null) => (days === null ? none : counted(days, 'day'))
