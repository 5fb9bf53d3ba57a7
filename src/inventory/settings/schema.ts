import { Id, Name, Named, OneOf, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

const OversellPolicy = OneOf(['backorder', 'reject'], {
  description: 'What happens to an order for more than there is: it waits, or it is refused',
})

export const Settings = Named('Settings', {
  timezone: Type.String({ description: 'Days begin and end in this time zone', examples: ['Europe/Paris'] }),
  oversell_policy: OversellPolicy,
})
export type Settings = Type.Static<typeof Settings>

export const SettingsChange = Named('SettingsChange', {
  timezone: Type.Optional(Text(1, 64)),
  oversell_policy: Type.Optional(OversellPolicy),
})
export type SettingsChange = Type.Static<typeof SettingsChange>

export const Company = Named('Company', {
  id: Type.Unsafe<number>({ ...Id, description: 'What the operator calls the tenant, such as to renew it' }),
  name: Type.String(),
  subscription_expires_at: Type.Unsafe<string>({
    ...Time,
    description: 'From then on everything but sign-in is refused with 402',
  }),
  created_at: Time,
})
export type Company = Type.Static<typeof Company>

export const CompanyChange = Named('CompanyChange', { name: Type.Optional(Name()) })
export type CompanyChange = Type.Static<typeof CompanyChange>
