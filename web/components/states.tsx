import { Ban, CircleAlert, type LucideIcon, SearchX } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { Button, LinkButton } from './button.tsx'
import { describeError, isNotFound } from './errors.ts'

/** Grey lines in the place of what is being loaded. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, n) => (
        <div key={n} class={`skeleton-line w${n % 4}`} />
      ))}
    </div>
  )
}

type StateProps = {
  icon?: LucideIcon
  title: string
  children?: ComponentChildren
  action?: ComponentChildren
  alert?: boolean
}

function State({ icon: Shown, title, children, action, alert }: StateProps) {
  return (
    <div class="state" role={alert ? 'alert' : undefined}>
      {Shown && (
        <span class="state-icon">
          <Shown size={24} aria-hidden="true" />
        </span>
      )}
      <h2>{title}</h2>
      {children}
      {action && <div class="state-action">{action}</div>}
    </div>
  )
}

/** Nothing is there yet: what this is for, and the first step. */
export function Empty(props: {
  title: string
  text: ComponentChildren
  icon?: LucideIcon
  action?: ComponentChildren
}) {
  const { title, text, icon, action } = props
  return (
    <State title={title} icon={icon} action={action}>
      <p>{text}</p>
    </State>
  )
}

/** Under which id the server has a request in its log: what support needs after a fault of the server. */
export function Reference({ error }: { error: unknown }) {
  const { requestId, isFault } = describeError(error)
  if (!requestId) return null
  if (isFault)
    return (
      <p class="request-id">
        Reference for support: <code>{requestId}</code>
      </p>
    )
  return (
    <details class="request-id">
      <summary>Details</summary>
      <p>
        Request <code>{requestId}</code>
      </p>
    </details>
  )
}

type ErrorStateProps = {
  error: unknown
  retry?: () => unknown
  /** Where to go from what does not exist. */
  back?: { label: string; href: string } | undefined
}

/** What happened, and what one can do: try again, or go back to the list from what is not there. */
export function ErrorState({ error, retry, back }: ErrorStateProps) {
  const { title, message } = describeError(error)
  return (
    <State
      alert
      icon={CircleAlert}
      title={title}
      action={
        back && isNotFound(error) ? (
          <LinkButton kind="primary" href={back.href}>
            Back to {back.label.toLowerCase()}
          </LinkButton>
        ) : (
          retry && (
            <Button kind="primary" onClick={retry}>
              Try again
            </Button>
          )
        )
      }
    >
      <p>{message}</p>
      <Reference error={error} />
    </State>
  )
}

/** A filter that nothing passes. */
export function NothingFound({ onClear, what = 'Nothing' }: { onClear?: () => unknown; what?: string }) {
  return (
    <State
      icon={SearchX}
      title={`${what} found`}
      action={onClear && <Button onClick={onClear}>Clear filters</Button>}
    >
      <p>No entry matches what you are looking for.</p>
    </State>
  )
}

const oneOf = (roles: readonly string[]) =>
  roles.map((role) => `${/^[aeiou]/i.test(role) ? 'an' : 'a'} ${role}`).join(' or ')

/** For an address that one may not open. `roles` are those that may. */
export function Denied({ roles }: { roles: readonly string[] }) {
  return (
    <State icon={Ban} title="You cannot open this page">
      <p>Only {oneOf(roles)} can. Ask one of them for access.</p>
    </State>
  )
}
