/** Plain http beyond localhost has no clipboard API: there the text is selected and copied the old way. */
const copyBySelection = (element: Element) => {
  getSelection()?.selectAllChildren(element)
  return document.execCommand('copy')
}

const copy = async (element: Element) => {
  try {
    await navigator.clipboard.writeText(element.textContent)
    return true
  } catch {
    return copyBySelection(element)
  }
}

/** Gives whatever has `data-copy` a button that copies its code. The attribute's value is the button's label. */
export const addCopyButton = (holder: HTMLElement) => {
  const code = holder.querySelector('code')
  if (!code) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  if (holder.dataset.copy) button.setAttribute('aria-label', holder.dataset.copy)
  button.addEventListener('click', async () => {
    button.textContent = (await copy(code)) ? 'Copied' : 'Selected'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  const place = holder.querySelector('figcaption') ?? holder
  place.append(button)
}
