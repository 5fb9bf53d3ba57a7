const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** A language, perhaps with a script and a region, but without the rest that a tag may carry. */
const simple = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i

/** The canonical form of a tag of a language that has a name; undefined for anything else. */
export const toLanguage = (text: string): string | undefined => {
  if (!simple.test(text)) return undefined
  const [tag] = Intl.getCanonicalLocales(text)
  return tag !== undefined && names.of(new Intl.Locale(tag).language) !== undefined ? tag : undefined
}

/** What a language is called. */
export const named = (tag: string) => ({ tag, name: names.of(tag) ?? tag })

const letters = [...'abcdefghijklmnopqrstuvwxyz']
let known: ReturnType<typeof named>[] | undefined

/** The languages that have a tag of two letters, by their names; where two tags have one name, the first of them. */
export const languages = () => {
  known ??= letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((tag) => toLanguage(tag) === tag)
    .map(named)
    .filter(({ name }, at, all) => all.findIndex((other) => other.name === name) === at)
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  return known
}
