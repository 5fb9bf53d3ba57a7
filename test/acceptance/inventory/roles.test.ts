import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import type { Client } from '#test/support/client.ts'
import { shop } from './scene.ts'

// Who may call what: each operation of the reference has a row here, so that none can be forgotten.
const words = (text: string) => text.trim().split(/\s+/)
const open = words(`
  getHealth getReadiness register login openSession getSession closeSession forgotPassword resetPassword`)
const staff = words(`
  changePassword getAccount changeProfile getSettings getCompany listWarehouses listCategories listProducts getProduct
  exportProducts listInventory getInventorySummary listAlerts listMovements explainStock listReorderSuggestions
  listCounts openCount getCount enterCount listCountLines deleteCountLine listUncounted
  listOrders getOrder createOrder changeOrderStatus getOrderStats exportOrders countOrders listBackorders getOrderTimeline
  listCustomers getCustomer createCustomer replaceCustomer changeCustomer deleteCustomer addAddress replaceAddress
  changeAddress deleteAddress
  listSuppliers getSupplier listPurchaseOrders countPurchaseOrders getPurchaseOrder
  listBatches listExpiringBatches getBatch traceBatch listSerials getSerial getSerialTimeline
  readPackingSlip getPackingSlip readPickList getPickList readPickListOfOrders getPickListOfOrders
  readPurchaseOrderPaper getPurchaseOrderPaper readProductLabel getProductLabel readBatchLabel getBatchLabel
  getDashboard getToday getFinancialReport getInventoryReport getCogsReport getValueHistory exportFinancialReport
  exportCogsReport exportInventoryReport listEvents`)
const managers = words(`
  createCategory updateCategory deleteCategory createProduct replaceProduct changeProduct addProductImage
  deleteProductImage importProducts adjustStock transferStock setReorderLevel
  changeCountStatus fulfillOrder returnOrderItems
  createSupplier replaceSupplier changeSupplier deleteSupplier createPurchaseOrder changePurchaseOrderStatus
  receivePurchaseOrder draftFromSuggestions createBatch changeBatch createSerial changeSerial createSerials
  listApiKeys createApiKey revokeApiKey listApiUsage`)
const admins = words(`
  listAuditLogs listUsers createUser changeUser changeSettings changeCompany createWarehouse changeWarehouse deleteProduct
  verifyInventory createWebhook listWebhooks getWebhook changeWebhook deleteWebhook rotateWebhookSecret testWebhook
  listDeliveries retryDelivery replayEvents`)
const readingKeys = words(`
  listExternalProducts getExternalProduct listExternalInventory listExternalOrders listExternalCustomers
  listExternalEvents`)
const writingKeys = words('syncInventory createExternalOrder')

type Operation = { operationId: string; description: string; security?: object[] }
const { paths } = JSON.parse(
  readFileSync(new URL('../../../docs/openapi/inventory.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, Operation>> }
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    // Of nothing that exists, and with nothing to do: who may call it is told 400 or 404 by most.
    call: `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '999999999')}`,
  })),
)

const system = await boot()
const s = await shop(system)
const people = {
  Admin: s.api,
  Manager: (await s.colleague('Manager')).api,
  Staff: (await s.colleague('Staff')).api,
}
const keyOf = async (...permissions: string[]) => {
  const { key } = await s.created('POST /api/api-keys', { name: permissions.join(), permissions })
  return system.inventory.with({ 'x-api-key': key })
}
const keys = { read: await keyOf('read'), write: await keyOf('read', 'write') }

/** Of operations that would change what this test stands on. */
const unwanted = ['closeSession', 'changePassword']
const called = async (api: Client, { call }: { call: string }) =>
  (await api(call, call.startsWith('GET') || call.startsWith('DELETE') ? {} : { body: {} })).status
const isAdmitted = (status: number) => status < 500 && ![401, 402, 403].includes(status)

const assertStatuses = async (api: Client, asked: readonly string[], expected: number | 'admitted', who: string) => {
  for (const operation of operations.filter(({ operationId }) => asked.includes(operationId))) {
    if (unwanted.includes(operation.operationId) && expected === 'admitted') continue
    const status = await called(api, operation)
    if (expected === 'admitted') assert.ok(isAdmitted(status), `${who}, ${operation.operationId}: ${status}`)
    else assert.equal(status, expected, `${who}, ${operation.operationId}`)
  }
} // biome-ignore format: one line

test('every operation of the reference has a row', () => {
  assert.deepEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
    [...open, ...staff, ...managers, ...admins, ...readingKeys, ...writingKeys].toSorted(),
  )
})

test('the reference says which roles may call an operation', () => {
  const described = (ids: readonly string[]) =>
    operations.filter(({ operationId }) => ids.includes(operationId))
  for (const { operationId, description } of described(managers))
    assert.match(description, /\bManagers\b/, operationId)
  for (const { operationId, description } of described(admins)) {
    assert.match(description, /\bAdmins?\b/, operationId)
    assert.doesNotMatch(description, /\bManagers may\b/, operationId)
  }
  for (const { operationId, security = [] } of described([...staff, ...managers, ...admins]))
    assert.ok(!JSON.stringify(security).includes('apiKey'), operationId)
})

test('without credentials only what is open can be called', async () => {
  const closed = [...staff, ...managers, ...admins, ...readingKeys, ...writingKeys]
  await assertStatuses(system.inventory, closed, 401, 'nobody')
})

test('each role may call what its row says, and nothing else', async () => {
  await assertStatuses(people.Staff, staff, 'admitted', 'Staff')
  await assertStatuses(people.Staff, [...managers, ...admins], 403, 'Staff')
  await assertStatuses(people.Manager, [...staff, ...managers], 'admitted', 'a Manager')
  await assertStatuses(people.Manager, admins, 403, 'a Manager')
  await assertStatuses(people.Admin, [...staff, ...managers, ...admins], 'admitted', 'an Admin')
  await assertStatuses(people.Admin, [...readingKeys, ...writingKeys], 401, 'an Admin')
})

test('a key may call the external API as it is permitted to, and nothing else', async () => {
  for (const [name, api] of Object.entries(keys)) {
    await assertStatuses(api, [...staff, ...managers, ...admins], 401, `a ${name} key`)
    await assertStatuses(api, readingKeys, 'admitted', `a ${name} key`)
  }
  await assertStatuses(keys.read, writingKeys, 403, 'a read key')
  await assertStatuses(keys.write, writingKeys, 'admitted', 'a write key')
})
