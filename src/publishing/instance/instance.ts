import { createHash } from 'node:crypto'
import type { Instance } from '#platform/instance/settings.ts'
import type { Publishing } from '../context.ts'

const versions = new WeakMap<Buffer, string>()
const versionOf = (logo: Buffer) =>
  versions.getOrInsertComputed(logo, () => createHash('sha256').update(logo).digest('base64url').slice(0, 12))

/** Another logo has another address, so that browsers may keep one for as long as they like. */
export const logoPath = (logo: Buffer) => `/logo/${versionOf(logo)}.png`

/** Its whole address, for what is read elsewhere; null if there is none. */
export const logoUrl = ({ config, instance }: Publishing) =>
  instance.current.logo && config.urls.publishing + logoPath(instance.current.logo)

/** The pages whose text the operator gives. */
export const everyLegalPage = [
  { setting: 'rules', path: '/rules', title: 'Rules' },
  { setting: 'privacy', path: '/privacy', title: 'Privacy' },
  { setting: 'imprint', path: '/imprint', title: 'Imprint' },
] as const
export type LegalPage = (typeof everyLegalPage)[number]

export const legalPages = (instance: Instance) => everyLegalPage.filter(({ setting }) => instance[setting])
