import type { Schemas } from '#web/storage/api.ts'

export type Rule = Schemas['LifecycleRule']
export type NewRule = Schemas['NewLifecycleRule']

const days = (n: number) => (n === 1 ? '1 day' : `${n} days`)

/** Which objects a rule is about, in words. `size` says a number of bytes. */
export const scopeOf = (rule: Rule, size: (bytes: number) => string) => {
  const { prefix, tags, min_size_bytes: min, max_size_bytes: max } = rule
  const tagged = Object.entries(tags).map(([name, value]) => `${name}=${value}`)
  const parts = [
    prefix && `keys that begin with ${prefix}`,
    tagged.length > 0 && `tagged ${tagged.join(', ')}`,
    min !== null && `at least ${size(min)}`,
    max !== null && `at most ${size(max)}`,
  ].filter((part) => part !== false && part !== '')
  const text = parts.join(', ')
  return text ? text.charAt(0).toUpperCase() + text.slice(1) : 'All objects'
}

/** What a rule does, each as a sentence. `day` says a date. */
export const effectsOf = (rule: Rule, day: (at: Date) => string) =>
  [
    rule.expiration_days !== null && `Deletes objects ${days(rule.expiration_days)} after they were stored`,
    rule.expiration_date !== null && `Deletes objects from ${day(new Date(rule.expiration_date))} on`,
    rule.noncurrent_days !== null &&
      `Removes old versions and deleted objects for good after ${days(rule.noncurrent_days)}` +
        (rule.newer_noncurrent_versions === null
          ? ''
          : `, but keeps the newest ${rule.newer_noncurrent_versions}`),
    rule.expired_delete_markers && 'Removes deleted objects of which no version is left',
    rule.abort_uploads_days !== null && `Ends unfinished uploads after ${days(rule.abort_uploads_days)}`,
  ].filter((effect) => effect !== false)

/** Tags as lines of `name=value`. */
const tagLines = (tags: Record<string, string>) =>
  Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

export const tagsIn = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => {
        const [name = '', ...value] = line.split('=')
        return [name.trim(), value.join('=').trim()]
      }),
  )

const blank: Rule = {
  id: '',
  enabled: true,
  prefix: '',
  tags: {},
  min_size_bytes: null,
  max_size_bytes: null,
  expiration_days: null,
  expiration_date: null,
  expired_delete_markers: false,
  noncurrent_days: null,
  newer_noncurrent_versions: null,
  abort_uploads_days: null,
}

/** A rule as the form shows it. */
export const valuesOf = ({ tags, expiration_date, ...rule }: Rule = blank) => ({
  ...rule,
  tags: tagLines(tags),
  expiration_date: expiration_date?.slice(0, 10) ?? '',
})
export type RuleValues = ReturnType<typeof valuesOf>

export const ruleOf = ({ id, tags, expiration_date, ...values }: RuleValues) => ({
  ...values,
  ...(id ? { id } : {}),
  tags: tagsIn(tags),
  expiration_date: expiration_date ? `${expiration_date}T00:00:00.000Z` : null,
})
