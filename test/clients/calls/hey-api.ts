import * as inventoryApi from '#generated/inventory/index.ts'
import * as publishingApi from '#generated/publishing/index.ts'
import * as storageApi from '#generated/storage/index.ts'

/** The tour of the README, with the clients of @hey-api/openapi-ts. */

export const storage = async (file: Blob) => {
  const registered = await storageApi.register({
    body: {
      organizationName: 'Acme',
      organizationSlug: 'acme',
      fullName: 'Ada L',
      email: 'ada@acme.test',
      password: 'correct horse',
    },
    throwOnError: true,
  })
  const headers = { authorization: `Bearer ${registered.data.token}` }
  const bucket = await storageApi.createBucket({ headers, body: { name: 'photos' }, throwOnError: true })
  const bucketId: string = bucket.data.id
  await storageApi.putObject({ headers, path: { bucketId, objectKey: 'docs/readme.md' }, body: file })
  const list = await storageApi.listObjects({ headers, path: { bucketId }, query: { prefix: 'docs/' } })
  return Array.isArray(list.data) ? list.data.map(({ object_key }) => object_key) : list.data?.objects
}

export const publishing = async () => {
  const registered = await publishingApi.register({
    body: { email: 'mira@acme.test', password: 'correct horse', handle: 'mira_acme', username: 'Mira' },
    throwOnError: true,
  })
  const headers = { authorization: `Bearer ${registered.data.data.accessToken}` }
  await publishingApi.createPost({ headers, body: { content: 'First light over the *harbour* #morning' } })
  const found = await publishingApi.search({ query: { q: 'harbour' } })
  const explored = await publishingApi.exploreTimeline()
  const cursor: string | null | undefined = explored.data?.data.nextCursor
  return {
    cursor,
    texts: found.data?.data.posts.map(({ content, author }) => `${author.handle}: ${content}`),
  }
}

export const inventory = async () => {
  const registered = await inventoryApi.register({
    body: { company_name: 'Acme', name: 'Noor', email: 'noor@acme.test', password: 'correct horse' },
    throwOnError: true,
  })
  const headers = { authorization: `Bearer ${registered.data.token}` }
  const body = { name: 'Mug', sku: 'MUG-1', base_price: '9.50' }
  const product = await inventoryApi.createProduct({ headers, body, throwOnError: true })
  const items = [{ product_id: product.data.id, quantity: 3, unit_price: '9.50' }]
  const order = await inventoryApi.createOrder({ headers, body: { items } })
  const stock = await inventoryApi.listInventory({ headers })
  return { number: order.data?.order_number, rows: stock.data?.inventory.map(({ quantity }) => quantity) }
}
