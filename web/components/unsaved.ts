/** Forms on the page. Whoever leads away from changes that would be lost asks first. */
const forms = new Set<() => boolean>()

/** Returns a function that forgets the form again. */
export const watchUnsaved = (isUnsaved: () => boolean) => {
  forms.add(isUnsaved)
  return () => void forms.delete(isUnsaved)
}

export const hasUnsaved = () => [...forms].some((isUnsaved) => isUnsaved())
export const forgetUnsaved = () => forms.clear()
