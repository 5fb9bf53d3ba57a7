/**
 * `GET /widget/feed.js`, as it is served: it replaces its own tag with a frame. Everything it takes from the host
 * page is checked, and it takes nothing but numbers from the frame.
 */
export const widgetScript = `(() => {
  'use strict'
  const themes = ['auto', 'dark', 'light']
  const own = document.currentScript
  const isOurs = (tag) => tag.dataset.user && /\\/widget\\/feed\\.js(\\?|$)/.test(tag.src)
  const tags = own && own.dataset.user ? [own] : [...document.querySelectorAll('script[data-user][src]')].filter(isOurs)

  const widthOf = (frame, text) => {
    const width = (text || '').trim()
    frame.style.width = '100%'
    frame.style.width = /^\\d+(\\.\\d+)?$/.test(width) ? width + 'px' : width || '100%'
  }

  const replace = (tag) => {
    const { user, theme, count, width } = tag.dataset
    const address = new URL('embed/' + encodeURIComponent(user.trim().replace(/^@/, '')), tag.src)
    const wanted = Number.parseInt(count, 10)
    address.searchParams.set('theme', themes.includes(theme) ? theme : 'auto')
    address.searchParams.set('count', Number.isNaN(wanted) ? 5 : Math.min(20, Math.max(1, wanted)))

    const frame = document.createElement('iframe')
    frame.title = 'Posts by @' + user.trim().replace(/^@/, '')
    frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
    frame.referrerPolicy = 'no-referrer'
    frame.loading = 'lazy'
    frame.style.cssText = 'display:block;border:0;max-width:100%;height:240px'
    // Of another scheme than its content, a frame would have an opaque ground.
    frame.style.colorScheme = theme === 'dark' || theme === 'light' ? theme : 'light dark'
    widthOf(frame, width)

    const listen = (event) => {
      if (!frame.isConnected) return removeEventListener('message', listen)
      // The sandbox takes the frame its origin away.
      if (event.source !== frame.contentWindow || event.origin !== 'null') return
      const height = event.data?.trivetHeight
      if (Number.isFinite(height) && height > 0) frame.style.height = Math.min(20000, Math.ceil(height)) + 'px'
    }
    addEventListener('message', listen)
    frame.addEventListener('load', () => addEventListener('message', listen))
    frame.src = address.href
    tag.replaceWith(frame)
  }

  for (const tag of tags) {
    if (!tag.isConnected) continue
    if (!document.head.contains(tag)) { replace(tag); continue }
    // A tag in the head has no place of its own on the page: its frame goes to the end.
    const move = () => { document.body.append(tag); replace(tag) }
    if (document.body) move()
    else addEventListener('DOMContentLoaded', move)
  }
})()
`

/** Within the frame: tells the host how high it is, now and whenever that changes. */
export const frameScript = `
const tell = () => parent.postMessage({ trivetHeight: document.documentElement.offsetHeight }, '*')
new ResizeObserver(tell).observe(document.documentElement)
addEventListener('load', tell)
tell()
`
