import { createInventory, type InventorySchemas } from '#sdk/index.ts'
import { guardedFetch } from '#web/frame/guarded-fetch.ts'

/** The API of the service that this console belongs to, by the session of the browser. */
export const api = createInventory({ baseUrl: location.origin, session: true, fetch: guardedFetch })

export type Schemas = InventorySchemas['schemas']
export type Account = Schemas['Account']
export type Order = Schemas['Order']
export type OrderSummary = Schemas['OrderSummary']
export type OrderItem = Schemas['OrderItem']
export type OrderStatus = Order['status']
export type Paper = Schemas['Paper']
export type Label = Schemas['Label']
export type Barcode = Label['code']
export type Product = Schemas['Product']
export type Batch = Schemas['Batch']
export type Serial = Schemas['Serial']
export type StockRow = Schemas['StockRow']
export type Customer = Schemas['Customer']
export type Count = Schemas['Count']
export type CountLine = Schemas['CountLine']
export type CountSummary = NonNullable<Schemas['CountSummary']>
export type CountStatus = Count['status']
export type Address = Schemas['Address']
export type Supplier = Schemas['Supplier']
export type Warehouse = Schemas['Warehouse']
export type PurchaseOrder = Schemas['PurchaseOrder']
export type PurchaseOrderSummary = Schemas['PurchaseOrderSummary']
export type PurchaseOrderItem = Schemas['PurchaseOrderItem']
export type PurchaseOrderStatus = PurchaseOrder['status']
