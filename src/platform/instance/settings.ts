/** What people see of an installation: its name, and what its operator has to say. */
export type Instance = {
  name: string
  /** One or two sentences; empty if there is nothing to say. */
  description: string
  /** `#rrggbb`; null for the colour of the service. */
  color: string | null
  /** Of what people write here, as in `de` or `pt-BR`. */
  language: string
  /** A `mailto:` or https address. */
  contact: string | null
  /** A PNG. */
  logo: Buffer | null
  /** Texts in Markdown. */
  rules: string | null
  privacy: string | null
  imprint: string | null
}

export const defaults: Instance = {
  name: 'Trivet',
  description: '',
  color: null,
  language: 'en',
  contact: null,
  logo: null,
  rules: null,
  privacy: null,
  imprint: null,
}

/** The settings that are read from a file, because they are long. */
const fileSettings = ['logo', 'rules', 'privacy', 'imprint'] as const
export type FileSetting = (typeof fileSettings)[number]
export const isFileSetting = (name: string): name is FileSetting =>
  (fileSettings as readonly string[]).includes(name)
