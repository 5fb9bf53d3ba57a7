import { Named, OneOf, Text } from '#platform/http/schema.ts'
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
