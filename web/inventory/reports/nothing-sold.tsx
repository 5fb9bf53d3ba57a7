import { ChartLine } from 'lucide-preact'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { Empty } from '#web/components/states.tsx'

/** In the days that were chosen, or in the last ones. */
export function NothingSold({ isChosen }: { isChosen: boolean }) {
  const { route } = useLocation()
  const [, change] = useQueryParams()
  return (
    <Empty
      icon={ChartLine}
      title={isChosen ? 'Nothing sold in these days' : 'Nothing sold in the last 30 days'}
      text="A sale counts on the day on which its units are shipped, and a return on the day on which they come back."
      action={
        isChosen ? (
          <Button onClick={() => change({ from: null, to: null, page: null })}>Show the last 30 days</Button>
        ) : (
          <Button kind="primary" onClick={() => route('/console/orders?to_ship=true')}>
            Orders to ship
          </Button>
        )
      }
    />
  )
}
