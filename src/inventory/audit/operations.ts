/**
 * Every operation that changes something, with the action that the audit log calls it, or why the log has no entry of it. A
 * service that has an operation without a line here does not start.
 */
const inLedger = {
  why: 'the ledger of stock or of the document has every step with person and time',
} as const
const byKey = { why: 'ledgers have what changed, and the usage log of API keys has every request' } as const
const ownRules = { why: 'its rules write the entry themselves, with what the response does not say' } as const
const changesNothing = { why: 'it changes nothing of the tenant' } as const

export const operations: Record<string, string | { why: string }> = {
  register: 'tenant.created',
  login: ownRules,
  openSession: ownRules,
  closeSession: { why: 'people end their own session, and nobody can use it afterwards' },
  forgotPassword: changesNothing,
  resetPassword: ownRules,
  changePassword: ownRules,
  changeProfile: 'user.updated',
  createUser: 'user.created',
  changeUser: 'user.updated',
  changeSettings: 'settings.updated',
  changeCompany: 'company.updated',
  createWarehouse: 'warehouse.created',
  changeWarehouse: 'warehouse.updated',
  createCategory: 'category.created',
  updateCategory: 'category.updated',
  deleteCategory: 'category.deleted',
  createProduct: 'product.created',
  replaceProduct: 'product.updated',
  changeProduct: 'product.updated',
  deleteProduct: 'product.deleted',
  addProductImage: 'product.image_added',
  deleteProductImage: 'product.image_deleted',
  importProducts: 'product.imported',
  adjustStock: inLedger,
  transferStock: inLedger,
  setReorderLevel: 'stock.reorder_level_changed',
  openCount: 'count.created',
  enterCount: inLedger,
  deleteCountLine: 'count.line_deleted',
  changeCountStatus: 'count.status_changed',
  createOrder: inLedger,
  changeOrderStatus: inLedger,
  fulfillOrder: inLedger,
  returnOrderItems: inLedger,
  createCustomer: 'customer.created',
  replaceCustomer: 'customer.updated',
  changeCustomer: 'customer.updated',
  deleteCustomer: 'customer.deleted',
  addAddress: 'customer.address_added',
  replaceAddress: 'customer.address_updated',
  changeAddress: 'customer.address_updated',
  deleteAddress: 'customer.address_deleted',
  createSupplier: 'supplier.created',
  replaceSupplier: 'supplier.updated',
  changeSupplier: 'supplier.updated',
  deleteSupplier: 'supplier.deleted',
  createPurchaseOrder: 'purchase_order.created',
  draftFromSuggestions: 'purchase_order.drafted',
  changePurchaseOrderStatus: 'purchase_order.status_changed',
  receivePurchaseOrder: 'purchase_order.received',
  createBatch: 'batch.created',
  changeBatch: 'batch.updated',
  createSerial: inLedger,
  createSerials: inLedger,
  changeSerial: inLedger,
  createApiKey: 'api_key.created',
  revokeApiKey: 'api_key.revoked',
  syncInventory: byKey,
  createExternalOrder: byKey,
  createWebhook: ownRules,
  changeWebhook: ownRules,
  deleteWebhook: ownRules,
  rotateWebhookSecret: ownRules,
  testWebhook: ownRules,
  retryDelivery: ownRules,
  replayEvents: ownRules,
}

/** Actions whose entries the rules write themselves. */
const ofRules = [
  'auth.logged_in', 'auth.password_changed', 'auth.password_reset', 'user.banned', 'user.unbanned',
  'subscription.updated', 'webhook.created', 'webhook.updated', 'webhook.secret_rotated', 'webhook.tested',
  'webhook.redelivered', 'webhook.replayed', 'webhook.deleted', 'webhook.switched_off',
] // biome-ignore format: one list

/** Every action that the log can have. */
export const actions = [
  ...new Set([...Object.values(operations).filter((action) => typeof action === 'string'), ...ofRules]),
].sort()
