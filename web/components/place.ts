const gap = 4
const margin = 8

/** Puts a popover below a control, or above it where there is no room, and inside of the window in any case. */
export const placeBeside = (popover: HTMLElement, control: HTMLElement) => {
  const { top, bottom, left, right } = control.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popover
  const below = bottom + gap + height <= innerHeight - margin
  const y = below ? bottom + gap : Math.max(margin, top - gap - height)
  const fromRight = left + width > innerWidth - margin
  const x = fromRight ? Math.max(margin, right - width) : left
  popover.style.top = `${y}px`
  popover.style.left = `${Math.min(x, innerWidth - margin - width)}px`
}
