/** Light and dark accent of each service: all that tells the three apart. */
export const accents = {
  storage: ['#3b5bdb', '#91a7ff'],
  publishing: ['#c2410c', '#fdba74'],
  inventory: ['#0f766e', '#5eead4'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

/** `<html data-service>` picks one of these. Every bundled style sheet begins with them. */
export const accentCss = Object.entries(accents)
  .map(([service, [light, dark]]) => `:root[data-service=${service}]{--accent:light-dark(${light},${dark})}`)
  .join('')
