const send = async (form: HTMLFormElement) => {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { 'x-part': '.bell' },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('.bell')
}

/** The button stays for what other pages show, and for the case that it did not work. */
const markShown = async (form: HTMLFormElement) => {
  const bell = await send(form).catch(() => null)
  if (!bell) return
  document.querySelector('.top .bell')?.replaceWith(bell)
  document.title = document.title.replace(/ \(.*?\)/, '')
  form.hidden = bell.querySelector('b') === null
}

/** Marks what the page shows as read once it can be seen. A page that a browser prepares in advance cannot. */
export const setUpSeen = () => {
  const form = document.querySelector<HTMLFormElement>('.seen')
  if (!form?.querySelector<HTMLInputElement>('[name=shown]')?.value) return
  const whenSeen = () => {
    if (document.visibilityState !== 'visible') return
    document.removeEventListener('visibilitychange', whenSeen)
    void markShown(form)
  }
  document.addEventListener('visibilitychange', whenSeen)
  whenSeen()
}
