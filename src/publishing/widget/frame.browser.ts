/** Within the frame: tells the host page how high it is, now and whenever that changes. */
const tellHeight = () => parent.postMessage({ trivetHeight: document.documentElement.offsetHeight }, '*')

new ResizeObserver(tellHeight).observe(document.documentElement)
addEventListener('load', tellHeight)
tellHeight()
