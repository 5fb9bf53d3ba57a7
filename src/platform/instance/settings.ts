import type { Kind } from '../config/kinds.ts'

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
export const fileSettings = ['logo', 'rules', 'privacy', 'imprint'] as const
export type FileSetting = (typeof fileSettings)[number]
export const isFileSetting = (name: string): name is FileSetting =>
  (fileSettings as readonly string[]).includes(name)

const line = (max: number): Kind<string> => ({
  accepts: `one line of 1 to ${max} characters`,
  read: (text) => (/^[^\p{Cc}]+$/u.test(text) && [...text].length <= max ? text : undefined),
})

export const instanceName = line(60)
export const instanceDescription = line(500)

export const color: Kind<string> = {
  accepts: 'a colour such as #0f766e',
  read: (text) => (/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined),
}

export const language: Kind<string> = {
  accepts: 'a language such as en, de or pt-BR',
  read: (text) => {
    try {
      return Intl.getCanonicalLocales(text)[0]
    } catch {
      return undefined
    }
  },
}
