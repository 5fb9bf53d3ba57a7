import { type Crumb, Page } from './page.tsx'
import { ErrorState, Skeleton } from './states.tsx'

type PendingPageProps = {
  /** What it is a page of, until its own name is known. */
  title: string
  /** Its last entry is the list that leads here. */
  breadcrumb: Crumb[]
  error: unknown
  retry: () => unknown
}

/** The page of one thing while it is being read, or when it cannot be: what is not there leads back to the list. */
export function PendingPage({ title, breadcrumb, error, retry }: PendingPageProps) {
  return (
    <Page title={title} breadcrumb={breadcrumb}>
      {error ? <ErrorState error={error} retry={retry} back={breadcrumb.at(-1)} /> : <Skeleton lines={6} />}
    </Page>
  )
}
