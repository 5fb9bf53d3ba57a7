/**
 * `GET /widget/feed.js`: replaces its own tag with a frame. Everything it takes from the host page is checked, and it
 * takes nothing but numbers from the frame.
 */
const isOurs = ({ src }: HTMLScriptElement) => /\/widget\/feed\.js(\?|$)/.test(src)

const ownTags = (): HTMLScriptElement[] => {
  const own = document.currentScript
  if (own instanceof HTMLScriptElement && (own.dataset.user || isOurs(own))) return [own]
  return [...document.querySelectorAll<HTMLScriptElement>('script[src]')].filter(isOurs)
}

const handleOf = ({ dataset }: HTMLScriptElement) => (dataset.user ?? '').trim().replace(/^@/, '')

const addressOf = (tag: HTMLScriptElement) => {
  const { theme, count } = tag.dataset
  const address = new URL(`embed/${encodeURIComponent(handleOf(tag))}`, tag.src)
  const wanted = Number.parseInt(count ?? '', 10)
  address.searchParams.set('theme', theme === 'dark' || theme === 'light' ? theme : 'auto')
  address.searchParams.set('count', String(Number.isNaN(wanted) ? 5 : Math.min(20, Math.max(1, wanted))))
  return address.href
}

const setWidth = ({ style }: HTMLElement, text = '') => {
  const width = text.trim()
  // Stays when the browser does not accept what follows.
  style.width = '100%'
  style.width = /^\d+(\.\d+)?$/.test(width) ? `${width}px` : width || '100%'
}

const newFrame = (tag: HTMLScriptElement) => {
  const { theme, width } = tag.dataset
  const frame = document.createElement('iframe')
  frame.title = `Posts by @${handleOf(tag)}`
  frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
  frame.referrerPolicy = 'no-referrer'
  frame.loading = 'lazy'
  frame.style.cssText = 'display:block;border:0;max-width:100%;height:240px'
  // A frame whose colour scheme differs from that of its content gets an opaque background.
  frame.style.colorScheme = theme === 'dark' || theme === 'light' ? theme : 'light dark'
  setWidth(frame, width)
  return frame
}

const followHeight = (frame: HTMLIFrameElement) => {
  const listen = ({ source, origin, data }: MessageEvent) => {
    if (!frame.isConnected) return removeEventListener('message', listen)
    // The sandbox takes the frame its origin away.
    if (source !== frame.contentWindow || origin !== 'null') return
    const height: unknown = data?.trivetHeight
    if (typeof height === 'number' && Number.isFinite(height) && height > 0)
      frame.style.height = `${Math.min(20000, Math.ceil(height))}px`
  }
  addEventListener('message', listen)
  // A frame that was taken out and put back is loaded again, and listened to again.
  frame.addEventListener('load', () => addEventListener('message', listen))
}

/** Says what is missing where the posts would be, for whoever sets up the page. */
const explain = (tag: HTMLScriptElement) => {
  const note = document.createElement('p')
  note.textContent = 'This widget needs the attribute data-user with the handle of an account.'
  console.warn(note.textContent, tag)
  tag.replaceWith(note)
}

const replace = (tag: HTMLScriptElement) => {
  if (!handleOf(tag)) return explain(tag)
  const frame = newFrame(tag)
  followHeight(frame)
  frame.src = addressOf(tag)
  tag.replaceWith(frame)
}

for (const tag of ownTags()) {
  if (!tag.isConnected) continue
  if (!document.head.contains(tag)) {
    replace(tag)
    continue
  }
  // A tag in the head has no place of its own on the page: its frame goes to the end.
  const move = () => {
    document.body.append(tag)
    replace(tag)
  }
  if (document.body) move()
  else addEventListener('DOMContentLoaded', move)
}
