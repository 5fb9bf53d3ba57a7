import createClient from 'openapi-fetch'
import type { paths as InventoryPaths } from '#generated/inventory.ts'
import type { paths as PublishingPaths } from '#generated/publishing.ts'
import type { paths as StoragePaths } from '#generated/storage.ts'

/** The tour of the README, with openapi-fetch. */

export const storage = async (file: Blob) => {
  const client = createClient<StoragePaths>({ baseUrl: 'http://localhost:4001' })
  const registration = {
    organizationName: 'Acme',
    organizationSlug: 'acme',
    fullName: 'Ada L',
    email: 'ada@acme.test',
    password: 'correct horse',
  }
  const registered = await client.POST('/auth/register', { body: registration })
  if (!registered.data) throw new Error(registered.error.message)
  const headers = { authorization: `Bearer ${registered.data.token}` }
  const bucket = await client.POST('/buckets', { headers, body: { name: 'photos' } })
  if (!bucket.data) throw new Error(bucket.error.code)
  const bucketId: string = bucket.data.id
  await client.PUT('/buckets/{bucketId}/objects/{objectKey}', {
    headers,
    params: { path: { bucketId, objectKey: 'docs/readme.md' } },
    body: file as unknown as string,
    bodySerializer: (body) => body,
  })
  const list = await client.GET('/buckets/{bucketId}/objects', {
    headers,
    params: { path: { bucketId }, query: { prefix: 'docs/' } },
  })
  return Array.isArray(list.data) ? list.data.map(({ object_key }) => object_key) : list.data?.objects
}

export const publishing = async () => {
  const client = createClient<PublishingPaths>({ baseUrl: 'http://localhost:4002' })
  const registration = {
    email: 'mira@acme.test',
    password: 'correct horse',
    handle: 'mira_acme',
    username: 'Mira',
  }
  const registered = await client.POST('/api/auth/register', { body: registration })
  if (!registered.data) throw new Error(registered.error.message)
  const headers = { authorization: `Bearer ${registered.data.data.accessToken}` }
  await client.POST('/api/posts', { headers, body: { content: 'First light over the *harbour* #morning' } })
  const found = await client.GET('/api/search', { params: { query: { q: 'harbour' } } })
  const explored = await client.GET('/api/timeline/explore')
  const cursor: string | null | undefined = explored.data?.data.nextCursor
  return {
    cursor,
    texts: found.data?.data.posts.map(({ content, author }) => `${author.handle}: ${content}`),
  }
}

export const inventory = async () => {
  const client = createClient<InventoryPaths>({ baseUrl: 'http://localhost:4003' })
  const registration = {
    company_name: 'Acme',
    name: 'Noor',
    email: 'noor@acme.test',
    password: 'correct horse',
  }
  const registered = await client.POST('/api/auth/register', { body: registration })
  if (!registered.data) throw new Error(registered.error.error)
  const headers = { authorization: `Bearer ${registered.data.token}` }
  const body = { name: 'Mug', sku: 'MUG-1', base_price: '9.50' }
  const product = await client.POST('/api/products', { headers, body })
  if (!product.data) throw new Error(product.error.error)
  const items = [{ product_id: product.data.id, quantity: 3, unit_price: '9.50' }]
  const order = await client.POST('/api/orders', { headers, body: { items } })
  const stock = await client.GET('/api/inventory', { headers })
  return { number: order.data?.order_number, rows: stock.data?.inventory.map(({ quantity }) => quantity) }
}
