import { confirmDiscard } from '#web/components/confirm.tsx'
import { forgetUnsaved, hasUnsaved } from '#web/components/unsaved.ts'

let here = ''
export const arrived = (url: string) => {
  here = url
}

/** The router must not see the event: nobody has agreed to leave yet. */
const hold = (event: Event) => {
  event.preventDefault()
  event.stopImmediatePropagation()
}

const askThenGo = async (go: () => void) => {
  if (!(await confirmDiscard())) return
  forgetUnsaved()
  go()
}

/** Asks before a link, the back button or closing the tab would lose what was typed. Called before the router starts. */
export const guardUnsaved = () => {
  document.addEventListener(
    'click',
    (event) => {
      const isPlain =
        event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!isPlain || !link?.href || link.target || link.download || !hasUnsaved()) return
      if (link.origin !== location.origin) return
      hold(event)
      void askThenGo(() => link.click())
    },
    true,
  )
  addEventListener('popstate', (event) => {
    if (!hasUnsaved()) return
    const wanted = location.pathname + location.search
    hold(event)
    history.pushState(null, '', here)
    void askThenGo(() => {
      history.replaceState(null, '', wanted)
      dispatchEvent(new PopStateEvent('popstate'))
    })
  })
  addEventListener('beforeunload', (event) => {
    if (hasUnsaved()) event.preventDefault()
  })
}
