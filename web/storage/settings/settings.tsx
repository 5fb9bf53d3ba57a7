import { useQuery } from '@tanstack/preact-query'
import { Page } from '#web/components/page.tsx'
import { ErrorState, Skeleton } from '#web/components/states.tsx'
import { Organization } from './organization.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { accountQuery } from './queries.ts'
import { TwoFactor } from './two-factor.tsx'

export function Settings() {
  const { data, error, refetch } = useQuery(accountQuery)
  return (
    <Page title="Settings">
      {data ? (
        <div class="settings">
          <Profile user={data.user} />
          <Password />
          <TwoFactor isOn={data.user.totp_enabled} />
          <Organization organization={data.organization} />
        </div>
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton lines={8} />
      )}
    </Page>
  )
}
