/**
 * The rules of the W3C feed validator that apply to our feeds, as a function for the browser, whose XML parser is
 * strict. It answers with what is wrong.
 */
export const xmlRules = `(text, requested) => {
  const wrong = []
  const must = (rule, holds) => { if (!holds) wrong.push(rule) }
  const isUrl = (value) => /^https?:\\/\\/[^\\s"<>\\\\^\`{|}]+$/.test(value) && !/%(?![\\da-fA-F]{2})/.test(value) && URL.canParse(value)
  const parsed = new DOMParser().parseFromString(text, 'application/xml')
  must('well-formed', !parsed.querySelector('parsererror'))
  must('declares UTF-8', text.startsWith('<?xml version="1.0" encoding="utf-8"?>'))
  must('only characters that XML has', !/[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff]/.test(text))
  const root = parsed.documentElement
  const own = (parent, name, namespace = null) =>
    [...parent.children].filter((each) => each.localName === name && each.namespaceURI === namespace)
  const one = (parent, name, namespace) => {
    const found = own(parent, name, namespace)
    must('exactly one ' + parent.localName + '/' + name, found.length === 1)
    return found[0]?.textContent ?? ''
  }
  const isDate822 = (value) => /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \\d{4} \\d\\d:\\d\\d:\\d\\d GMT$/.test(value) && new Date(value).toUTCString() === value
  const isDate3339 = (value) => /^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value))
  const isPlausible = (value) => Date.parse(value) > Date.parse('2000-01-01') && Date.parse(value) < Date.now() + 86_400_000
  const checkBody = (html) => {
    const body = new DOMParser().parseFromString(html, 'text/html')
    for (const element of body.querySelectorAll('*'))
      for (const { name, value } of element.attributes)
        if (['href', 'src', 'cite', 'action'].includes(name)) must('no relative address in content: ' + value, isUrl(value))
    must('no script in content', !body.querySelector('script, style, object, embed, iframe, form, meta, link, base'))
    must('no handlers in content', ![...body.querySelectorAll('*')].some((each) => [...each.attributes].some(({ name }) => /^on|^style$/.test(name))))
  }
  const isPlain = (title) => title.trim() !== '' && !/[\\n\\r\\t]/.test(title) && title.length <= 300
  const unique = (values) => new Set(values).size === values.length

  if (root.localName === 'rss') {
    must('version 2.0', root.getAttribute('version') === '2.0' && root.namespaceURI === null)
    must('one channel', root.children.length === 1 && root.children[0].localName === 'channel')
    const channel = root.children[0]
    must('channel title', one(channel, 'title').trim() !== '')
    const link = one(channel, 'link')
    must('channel link is an address', isUrl(link))
    must('channel description', one(channel, 'description').trim() !== '')
    must('language is a known code', /^[a-z]{2}(-[A-Z]{2})?$/.test(one(channel, 'language')))
    must('ttl is minutes', /^[1-9]\\d*$/.test(one(channel, 'ttl')))
    const built = one(channel, 'lastBuildDate')
    must('lastBuildDate is RFC 822', isDate822(built) && isPlausible(built))
    const atomLinks = own(channel, 'link', 'http://www.w3.org/2005/Atom')
    const self = atomLinks.filter((each) => each.getAttribute('rel') === 'self')
    must('atom:link is self', self.length === 1)
    must('other links lead on', atomLinks.every((each) => ['self', 'next', 'hub'].includes(each.getAttribute('rel')) && isUrl(each.getAttribute('href'))))
    must('atom:link names its type', self[0]?.getAttribute('type') === 'application/rss+xml')
    must('self is where it was asked for', self[0]?.getAttribute('href') === requested && isUrl(requested))
    const items = own(channel, 'item')
    must('items come last', [...channel.children].slice(-items.length || channel.children.length).every((each) => items.length === 0 || each.localName === 'item'))
    for (const image of own(channel, 'image')) {
      must('image address', isUrl(one(image, 'url')))
      must('image speaks of the channel', one(image, 'title') === own(channel, 'title')[0].textContent && one(image, 'link') === link)
    }
    const known = ['title', 'link', 'guid', 'pubDate', 'updated', 'creator', 'language', 'category', 'description']
    for (const item of items) {
      must('known elements in items', [...item.children].every((each) => known.includes(each.localName)))
      must('item title is one plain line', isPlain(one(item, 'title')))
      must('item link is an address', isUrl(one(item, 'link')))
      const guid = own(item, 'guid')
      must('one permanent guid', guid.length === 1 && guid[0].getAttribute('isPermaLink') === 'true' && isUrl(guid[0].textContent))
      must('guid is the link', guid[0]?.textContent === own(item, 'link')[0]?.textContent)
      const date = one(item, 'pubDate')
      must('pubDate is RFC 822', isDate822(date) && isPlausible(date))
      must('atom:updated is RFC 3339', own(item, 'updated', 'http://www.w3.org/2005/Atom').every((each) => isDate3339(each.textContent) && Date.parse(each.textContent) >= Date.parse(date)))
      must('dc:creator', one(item, 'creator', 'http://purl.org/dc/elements/1.1/').trim() !== '')
      must('categories say something', own(item, 'category').every((each) => each.textContent.trim() !== ''))
      checkBody(one(item, 'description'))
    }
    must('guids are unique', unique(items.map((item) => own(item, 'guid')[0]?.textContent)))
    return [...new Set(wrong)]
  }

  const atom = 'http://www.w3.org/2005/Atom'
  must('Atom feed', root.localName === 'feed' && root.namespaceURI === atom)
  must('known language', /^[a-z]{2}$/.test(root.getAttributeNS('http://www.w3.org/XML/1998/namespace', 'lang')))
  must('feed id is an IRI', isUrl(one(root, 'id', atom)))
  must('feed title', one(root, 'title', atom).trim() !== '')
  const updated = one(root, 'updated', atom)
  must('feed updated is RFC 3339', isDate3339(updated) && isPlausible(updated))
  const links = (parent, rel) => own(parent, 'link', atom).filter((each) => each.getAttribute('rel') === rel)
  must('one self link', links(root, 'self').length === 1 && links(root, 'self')[0].getAttribute('href') === requested && isUrl(requested))
  must('one alternate link', links(root, 'alternate').length === 1 && isUrl(links(root, 'alternate')[0].getAttribute('href')))
  must('at most one next page', links(root, 'next').length <= 1 && links(root, 'next').every((each) => isUrl(each.getAttribute('href'))))
  must('self names its type', links(root, 'self')[0]?.getAttribute('type') === 'application/atom+xml')
  const icon = own(root, 'icon', atom)
  must('icon is an address', icon.length === 0 || (icon.length === 1 && isUrl(icon[0].textContent)))
  const entries = own(root, 'entry', atom)
  const authors = (parent) => own(parent, 'author', atom).filter((each) => one(each, 'name', atom).trim() !== '' && isUrl(one(each, 'uri', atom)))
  must('an author of the feed or of all entries', authors(root).length === 1 || (entries.length > 0 && entries.every((entry) => authors(entry).length === 1)))
  for (const entry of entries) {
    must('entry id is an IRI', isUrl(one(entry, 'id', atom)))
    must('entry title is one plain line', isPlain(one(entry, 'title', atom)))
    must('entry author', authors(entry).length === 1)
    const [published, changed] = [one(entry, 'published', atom), one(entry, 'updated', atom)]
    must('entry dates are RFC 3339', [published, changed].every((date) => isDate3339(date) && isPlausible(date)))
    must('updated is not before published', Date.parse(changed) >= Date.parse(published))
    must('feed is as new as its entries', Date.parse(updated) >= Date.parse(changed))
    must('one alternate link of an entry', links(entry, 'alternate').length === 1 && isUrl(links(entry, 'alternate')[0].getAttribute('href')))
    must('categories have terms', own(entry, 'category', atom).every((each) => each.getAttribute('term')?.trim()))
    const content = own(entry, 'content', atom)
    must('one content of type html', content.length === 1 && content[0].getAttribute('type') === 'html')
    checkBody(content[0]?.textContent ?? '')
  }
  must('entry ids are unique', unique(entries.map((entry) => own(entry, 'id', atom)[0]?.textContent)))
  return [...new Set(wrong)]
}`

type JsonItem = Record<string, unknown> & { authors?: { name?: string; url?: string }[]; tags?: unknown[] }

/** What is wrong with a JSON Feed by the text of version 1.1. */
export const jsonRules = (text: string, requested: string): string[] => {
  const wrong = new Set<string>()
  const must = (rule: string, holds: unknown) => void (holds || wrong.add(rule))
  const isUrl = (value: unknown) =>
    typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)
  const isDate = (value: unknown) => typeof value === 'string' && new Date(value).toISOString() === value
  const feed = JSON.parse(text) as Record<string, unknown> & { items: JsonItem[] }
  must('version', feed.version === 'https://jsonfeed.org/version/1.1')
  must('title', typeof feed.title === 'string' && feed.title !== '')
  must('home_page_url', isUrl(feed.home_page_url))
  must('feed_url is where it was asked for', feed.feed_url === requested)
  must('next_url', feed.next_url === undefined || isUrl(feed.next_url))
  must('language', feed.language === 'en')
  must('icon', feed.icon === undefined || isUrl(feed.icon))
  must('items', Array.isArray(feed.items))
  must('no author of version 1.0', !('author' in feed) && feed.items.every((item) => !('author' in item)))
  for (const item of feed.items) {
    must('id is a string', typeof item.id === 'string' && item.id !== '')
    must('url', isUrl(item.url))
    must('content', typeof item.content_html === 'string')
    must('title', typeof item.title === 'string' && !/[\n\r]/.test(item.title))
    must('date_published', isDate(item.date_published))
    must('date_modified', item.date_modified === undefined || isDate(item.date_modified))
    must('authors', item.authors?.length === 1 && item.authors.every(({ name, url }) => name && isUrl(url)))
    must('tags', item.tags === undefined || item.tags.every((tag) => typeof tag === 'string' && tag !== ''))
  }
  must('ids are unique', new Set(feed.items.map(({ id }) => id)).size === feed.items.length)
  return [...wrong]
}
