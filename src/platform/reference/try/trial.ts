/** What the form of "Try it" is made of; passed from the server to the script within the page. */
export type Trial = {
  method: string
  path: string
  /** `value` is filled in; `hint` only shown where nothing is. */
  fields: {
    name: string
    in: 'path' | 'query' | 'header'
    value: string
    hint: string
    isRequired: boolean
  }[]
  credentials: { label: string; header: string; prefix: string }[]
  body: { type: string; kind: 'json' | 'file' | 'form'; example?: unknown } | null
}
