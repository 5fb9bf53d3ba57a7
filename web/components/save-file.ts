/** Lets the browser save what was read, as a download with this name. */
export const saveFile = (content: Blob, name: string) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
