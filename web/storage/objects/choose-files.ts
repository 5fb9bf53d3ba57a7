/** Opens the browser's dialog for files or for a whole folder. One input serves both. */
export const chooseFiles = (input: HTMLInputElement | null, kind: 'files' | 'folder') => {
  if (!input) return
  input.webkitdirectory = kind === 'folder'
  input.value = ''
  input.click()
}
