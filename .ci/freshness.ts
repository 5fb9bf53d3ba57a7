/** What a registry knows of a package: when each version was published. */
export type Published = Record<string, string>

export type Freshness = {
  name: string
  version: string
  newest: string
  /** Days since the version in use was published. */
  age: number | null
  majors: number
  /** Days since there is a newer minor version of the same major. */
  behindDays: number | null
}

type Version = { major: number; minor: number; patch: number; isPre: boolean }

const parse = (text: string): Version | null => {
  const [, major, minor, patch, pre] = /^(\d+)\.(\d+)\.(\d+)(-.+)?$/.exec(text) ?? []
  return major === undefined
    ? null
    : { major: Number(major), minor: Number(minor), patch: Number(patch), isPre: pre !== undefined }
}

const compare = (a: Version, b: Version) => a.major - b.major || a.minor - b.minor || a.patch - b.patch

const day = 86_400_000
const daysSince = (time: string | undefined, now: Date) =>
  time === undefined ? null : Math.floor((now.getTime() - Date.parse(time)) / day)

/** How far a version is behind. Prereleases count only for a package that has nothing else. */
export const freshnessOf = (name: string, version: string, published: Published, now: Date): Freshness => {
  const own = parse(version)
  if (!own) throw new Error(`${name} is not pinned to a version: ${version}`)
  const others = Object.keys(published)
    .flatMap((text) => {
      const parsed = parse(text)
      return parsed && parsed.isPre === own.isPre ? [{ text, ...parsed }] : []
    })
    .sort(compare)
  const newest = others.at(-1)
  const newerMinors = others.filter(({ major, minor }) => major === own.major && minor > own.minor)
  const since = newerMinors.map(({ text }) => daysSince(published[text], now) ?? 0)
  return {
    name,
    version,
    newest: newest && compare(newest, own) > 0 ? newest.text : version,
    age: daysSince(published[version], now),
    majors: Math.max(0, (newest?.major ?? own.major) - own.major),
    behindDays: since.length > 0 ? Math.max(...since) : null,
  }
}

const patienceDays = 60

/** Lines `name: reason`; what follows # is a comment. */
export const readReasons = (text: string) =>
  new Map(
    text
      .split('\n')
      .map((line) => /^(?!#)(\S+): +(.+)$/.exec(line))
      .filter((match) => match !== null)
      .map(([, name, reason]) => [name!, reason!] as const),
  )

/** What is wrong: a dependency that is long behind without a reason, and a reason that is not needed any more. */
export const problemsOf = (all: Freshness[], reasons: Map<string, string>) => {
  const late = all.filter(({ behindDays }) => behindDays !== null && behindDays > patienceDays)
  const unexplained = late.filter(({ name }) => !reasons.has(name))
  const needed = new Set(late.map(({ name }) => name))
  return [
    ...unexplained.map(
      ({ name, version, newest, behindDays }) =>
        `${name} ${version} has been behind by a minor version for ${behindDays} days (newest ${newest}): update it, or give a reason`,
    ),
    ...[...reasons.keys()]
      .filter((name) => !needed.has(name))
      .map((name) => `${name} needs no reason any more`),
  ]
}
