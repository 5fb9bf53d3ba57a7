import type { Snippet } from '#web/components/snippet-tabs.tsx'

/** First requests to the external API of this server, ready to be pasted. */
export const snippetsOf = (address: string, key: string): Snippet[] => [
  {
    name: 'curl',
    text: `curl ${address}/api/external/products \\
  -H 'X-API-Key: ${key}'`,
  },
  {
    name: 'SDK',
    text: `import { createInventory } from '@trivet/sdk'

const inventory = createInventory({
  baseUrl: '${address}',
  apiKey: '${key}',
})
const { data } = await inventory.GET('/api/external/products')`,
  },
]
