import { invalid } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import { isTagText, type Tags, tagCharacters } from '../tags/tags.ts'
import type { LifecycleRule, NewLifecycleRule } from './schema.ts'

const dayMs = 24 * 3600 * 1000

/** The rule that every bucket begins with. */
export const defaultRules = (retentionDays: number): LifecycleRule[] => [
  {
    id: 'default',
    enabled: true,
    prefix: '',
    tags: {},
    min_size_bytes: null,
    max_size_bytes: null,
    expiration_days: null,
    expiration_date: null,
    expired_delete_markers: true,
    noncurrent_days: retentionDays,
    newer_noncurrent_versions: null,
    abort_uploads_days: 7,
  },
]

/** Rules as they are stored: every field present, every id unique, nothing that contradicts itself. */
export const checkRules = (input: readonly NewLifecycleRule[]): LifecycleRule[] => {
  const rules = input.map((rule, index) => checkRule(rule, `rules[${index}]`))
  const ids = new Set<string>()
  for (const [index, { id }] of rules.entries()) {
    if (ids.has(id)) invalid(`rules[${index}].id`, 'must be unique')
    ids.add(id)
  }
  return rules
}

const checkRule = (input: NewLifecycleRule, at: string): LifecycleRule => {
  const rule = {
    id: input.id ?? uuidv7(),
    enabled: input.enabled,
    prefix: input.prefix ?? '',
    tags: input.tags ?? {},
    min_size_bytes: input.min_size_bytes || null,
    max_size_bytes: input.max_size_bytes ?? null,
    expiration_days: input.expiration_days ?? null,
    expiration_date: midnight(input.expiration_date ?? null, `${at}.expiration_date`),
    expired_delete_markers: input.expired_delete_markers ?? false,
    noncurrent_days: input.noncurrent_days ?? null,
    newer_noncurrent_versions: input.newer_noncurrent_versions ?? null,
    abort_uploads_days: input.abort_uploads_days ?? null,
  }
  if (rule.max_size_bytes !== null && rule.max_size_bytes < (rule.min_size_bytes ?? 0))
    invalid(`${at}.max_size_bytes`, 'must not be less than min_size_bytes')
  // No content could have others, so that the rule would never be about one.
  if (!Object.entries(rule.tags).flat().every(isTagText)) invalid(`${at}.tags`, tagCharacters)
  checkActions(rule, at)
  return rule
}

const checkActions = (rule: LifecycleRule, at: string) => {
  const { expiration_days, expiration_date, expired_delete_markers, noncurrent_days } = rule
  if (expiration_days !== null && expiration_date !== null)
    invalid(`${at}.expiration_date`, 'must not be given together with expiration_days')
  if (expired_delete_markers && (expiration_days !== null || expiration_date !== null))
    invalid(
      `${at}.expired_delete_markers`,
      'must not be true together with expiration_days or expiration_date, which include it',
    )
  if (rule.newer_noncurrent_versions !== null && noncurrent_days === null)
    invalid(`${at}.newer_noncurrent_versions`, 'must not be given without noncurrent_days')
  // Uploads and delete markers have neither tags nor a size.
  const isAboutContents =
    Object.keys(rule.tags).length > 0 || rule.min_size_bytes !== null || rule.max_size_bytes !== null
  const reason = 'must not be given together with tags, min_size_bytes or max_size_bytes'
  if (expired_delete_markers && isAboutContents) invalid(`${at}.expired_delete_markers`, reason)
  if (rule.abort_uploads_days !== null && isAboutContents) invalid(`${at}.abort_uploads_days`, reason)
  const hasAction =
    expired_delete_markers ||
    [expiration_days, expiration_date, noncurrent_days, rule.abort_uploads_days].some((x) => x !== null)
  if (!hasAction)
    invalid(
      at,
      'must do something: give one of expiration_days, expiration_date, expired_delete_markers, noncurrent_days, abort_uploads_days',
    )
}

const midnight = (text: string | null, field: string) => {
  if (text === null) return null
  const time = Date.parse(text)
  return time % dayMs === 0 ? new Date(time).toISOString() : invalid(field, 'must be at midnight UTC')
}

/** The enabled rules of a bucket, by what they do. */
export type Rules = {
  expiring: readonly LifecycleRule[]
  noncurrent: readonly (LifecycleRule & { noncurrent_days: number })[]
  markers: readonly LifecycleRule[]
  aborting: readonly (LifecycleRule & { abort_uploads_days: number })[]
}

export const sortRules = (rules: readonly LifecycleRule[]): Rules => {
  const enabled = rules.filter((rule) => rule.enabled)
  return {
    expiring: enabled.filter((rule) => rule.expiration_days !== null || rule.expiration_date !== null),
    noncurrent: enabled.filter((rule) => rule.noncurrent_days !== null) as Rules['noncurrent'],
    markers: enabled.filter((rule) => rule.expired_delete_markers),
    aborting: enabled.filter((rule) => rule.abort_uploads_days !== null) as Rules['aborting'],
  }
}

/** What a rule may ask about a content. */
export type RuledContent = { key: string; size: number; tags: Tags }

const isAbout = (rule: LifecycleRule, { key, size, tags }: RuledContent) =>
  key.startsWith(rule.prefix) &&
  size >= (rule.min_size_bytes ?? 0) &&
  size <= (rule.max_size_bytes ?? Number.POSITIVE_INFINITY) &&
  Object.entries(rule.tags).every(([name, value]) => tags.some((tag) => tag[0] === name && tag[1] === value))

/** Days may be so many that no date is that far away. */
const dateAt = (time: number) => new Date(Math.min(Math.max(time, 0), Date.UTC(9999, 11, 31)))

/** As S3 counts: when the days have passed, at the next midnight in UTC. */
const daysAfter = (since: Date, days: number) => dateAt(Math.ceil(since.getTime() / dayMs + days) * dayMs)

/** What began at this time or earlier is that many days old by `now`, as S3 counts. */
export const daysBefore = (now: Date, days: number) =>
  dateAt((Math.floor(now.getTime() / dayMs) - days) * dayMs)

type Due = { at: Date; rule: LifecycleRule }
const earliest = (all: readonly Due[]) =>
  all.reduce<Due | undefined>((first, due) => (first && first.at <= due.at ? first : due), undefined)

/** When a current content expires, and by which rule. */
export const expirationOf = (
  { expiring }: Pick<Rules, 'expiring'>,
  content: RuledContent & { storedAt: Date },
): Due | undefined =>
  earliest(
    expiring
      .filter((rule) => isAbout(rule, content))
      .map((rule) => ({
        at:
          rule.expiration_days === null
            ? new Date(rule.expiration_date as string)
            : daysAfter(content.storedAt, rule.expiration_days),
        rule,
      })),
  )

/**
 * When a content goes for good that was replaced or deleted. `newer` is how many contents of its key were replaced or
 * deleted after it.
 */
export const removalOf = (
  { noncurrent }: Rules,
  content: RuledContent & { since: Date; newer: number },
): Due | undefined =>
  earliest(
    noncurrent
      .filter((rule) => isAbout(rule, content) && content.newer >= (rule.newer_noncurrent_versions ?? 0))
      .map((rule) => ({ at: daysAfter(content.since, rule.noncurrent_days), rule })),
  )

/** Delete markers have neither tags nor a size, so that rules which ask for them are not about markers. */
const isAboutMarker = (rule: LifecycleRule, key: string) =>
  key.startsWith(rule.prefix) &&
  rule.min_size_bytes === null &&
  rule.max_size_bytes === null &&
  Object.keys(rule.tags).length === 0

/** A marker goes if something else was stored or deleted at its key at this time or earlier. */
export const markerRemovalBefore = ({ noncurrent }: Rules, key: string, now: Date): Date | undefined => {
  const days = noncurrent.filter((rule) => isAboutMarker(rule, key)).map((rule) => rule.noncurrent_days)
  return days.length === 0 ? undefined : daysBefore(now, Math.min(...days))
}

/** When the marker of a key goes of which nothing else is left. */
export const markerExpiryOf = (
  { markers, expiring }: Rules,
  { key, markedAt }: { key: string; markedAt: Date },
): Date | undefined => {
  if (markers.some((rule) => isAboutMarker(rule, key))) return markedAt
  const unfiltered = expiring.filter((rule) => isAboutMarker(rule, key))
  return expirationOf({ expiring: unfiltered }, { key, size: 0, tags: [], storedAt: markedAt })?.at
}

/** When an upload fails because of its age, and by which rule. Uploads are not rounded to midnight. */
export const abortionOf = (
  { aborting }: Rules,
  { key, startedAt }: { key: string; startedAt: Date },
): Due | undefined =>
  earliest(
    aborting
      .filter(({ prefix }) => key.startsWith(prefix))
      .map((rule) => ({ at: dateAt(startedAt.getTime() + rule.abort_uploads_days * dayMs), rule })),
  )

/** Uploads that began at the time of a prefix or earlier, and whose key begins with it, have failed by `now`. */
export const uploadExpiries = ({ aborting }: Rules, now: Date) =>
  aborting.map(({ prefix, abort_uploads_days: days }) => ({
    prefix,
    time: dateAt(now.getTime() - days * dayMs),
  }))
