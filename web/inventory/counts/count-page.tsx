import { useQuery } from '@tanstack/preact-query'
import { Check, ListChecks, RotateCcw, X } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Problem } from '#web/components/form.tsx'
import { Page } from '#web/components/page.tsx'
import { PendingPage } from '#web/components/pending-page.tsx'
import { Tabs } from '#web/components/tabs.tsx'
import { When } from '#web/components/when.tsx'
import type { ScreenProps } from '#web/frame/console.ts'
import { useSession } from '#web/frame/session.ts'
import { api, type Count, type CountLine } from '../api.ts'
import { CountEntry } from './count-entry.tsx'
import { CountedLines } from './counted-lines.tsx'
import type { Target } from './enter.ts'
import { useMoves } from './moves.tsx'
import { countLinesQuery, countQuery, uncountedQuery } from './queries.ts'
import { Uncounted } from './uncounted.tsx'
import { CountBadge } from './words.tsx'

const breadcrumb = [
  { label: 'Stock', href: '/console/stock' },
  { label: 'Count stock', href: '/console/counts' },
]

export function CountPage({ params: { countId = '', tab = '' } }: ScreenProps) {
  const { data: count, error, refetch } = useQuery(countQuery(Number(countId)))
  if (!count) return <PendingPage title="Count" breadcrumb={breadcrumb} error={error} retry={refetch} />
  return <CountDetail count={count} tab={tab} />
}

/** A tab shows how much is in it; a page of one row tells as much as any. */
const one = { page: 1, limit: 1 }

const CountDetail = ({ count, tab }: { count: Count; tab: string }) => {
  const { can } = useSession()
  const { route } = useLocation()
  const { id, status } = count
  const [target, setTarget] = useState<Target | null>(null)
  const { moveTo, buttonTo, failure } = useMoves(count)
  const isOpen = status === 'open'
  const mayPost = can('count.post')
  // The same that the service decides: nobody while people count, and before it is posted only who may post it.
  const isOpenBook = !isOpen && (mayPost || status === 'posted')
  const { data: different } = useQuery({
    ...countLinesQuery(id, { ...one, different: true }),
    enabled: isOpenBook,
  })
  const isClosed = status === 'posted' || status === 'cancelled'
  const { data: left } = useQuery({ ...uncountedQuery(id, one), enabled: !isClosed })
  const base = `/console/counts/${id}`

  const again = async (line: CountLine) => {
    if (!isOpen && !(await moveTo('open'))) return
    const { data } = await api.GET('/api/products/{id}', { params: { path: { id: line.product_id } } })
    setTarget({ product: data, batch_number: line.batch_number ?? '', mode: 'replace' })
    route(base)
  }
  const mayChange = isOpen || (status === 'review' && mayPost)
  return (
    <Page
      title={count.count_number}
      breadcrumb={breadcrumb}
      text={<About count={count} />}
      actions={
        mayPost &&
        !isClosed && (
          <>
            <Button icon={X} {...buttonTo('cancelled')} onClick={() => moveTo('cancelled')}>
              Cancel count
            </Button>
            {isOpen ? (
              <Button
                kind="primary"
                icon={ListChecks}
                {...buttonTo('review')}
                onClick={() => moveTo('review')}
              >
                Review count
              </Button>
            ) : (
              <>
                <Button icon={RotateCcw} {...buttonTo('open')} onClick={() => moveTo('open')}>
                  Reopen count
                </Button>
                <Button kind="primary" icon={Check} {...buttonTo('posted')} onClick={() => moveTo('posted')}>
                  Post count
                </Button>
              </>
            )}
          </>
        )
      }
      tabs={
        <Tabs
          label="Count"
          items={[
            ...(isOpenBook ? [{ label: 'Differences', href: base, count: different?.total }] : []),
            {
              label: isOpenBook ? 'All lines' : 'Counted',
              href: isOpenBook ? `${base}/all` : base,
              count: count.line_count,
            },
            ...(isClosed ? [] : [{ label: 'Not counted', href: `${base}/uncounted`, count: left?.total }]),
          ]}
        />
      }
    >
      <Problem error={failure} />
      {isOpen && <CountEntry count={count} target={target} onTarget={setTarget} />}
      {tab === 'uncounted' && !isClosed ? (
        <Uncounted count={count} onTarget={setTarget} />
      ) : (
        <CountedLines
          key={tab}
          count={count}
          isOpenBook={isOpenBook}
          different={isOpenBook && tab !== 'all'}
          {...(mayChange ? { onAgain: again } : {})}
        />
      )}
    </Page>
  )
}

const About = ({ count }: { count: Count }) => (
  <>
    <CountBadge status={count.status} />{' '}
    {[count.warehouse_name, count.category_name ?? 'All products', count.notes].filter(Boolean).join(' · ')}
    {count.closed_at && (
      <>
        {' · '}
        <When at={count.closed_at} /> by {count.closed_by_name}
      </>
    )}
  </>
)
