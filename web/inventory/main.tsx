import {
  Boxes,
  ChartLine,
  Factory,
  Layers,
  Package,
  ScrollText,
  Settings,
  ShoppingCart,
  Sun,
  Truck,
  Users,
  Webhook,
} from 'lucide-preact'
import { startConsole } from '#web/frame/app.tsx'
import { api } from './api.ts'
import { find } from './find.ts'
import { live } from './live.ts'
import { rolesWith } from './permissions.ts'
import { session } from './session.ts'

const settings = () => import('./settings/settings.tsx').then((m) => m.Settings)

/** The console of inventory: its table of contents. */
startConsole({
  service: 'inventory',
  title: 'Inventory',
  session,
  rolesWith,
  home: '/today',
  events: api.events,
  live,
  find,
  errands: [
    { label: 'New order', path: '/orders/new', needs: 'order.write' },
    { label: 'New product', path: '/products', needs: 'product.write' },
    { label: 'Import CSV', path: '/products/import', needs: 'product.write' },
    { label: 'New count', path: '/counts' },
    { label: 'New purchase order', path: '/purchasing/new', needs: 'purchase.write' },
    { label: 'New customer', path: '/customers', needs: 'customer.write' },
    { label: 'New supplier', path: '/suppliers', needs: 'supplier.write' },
    { label: 'New user', path: '/settings/users', needs: 'user.manage' },
    { label: 'New webhook', path: '/webhooks', needs: 'webhook.manage' },
  ],
  screens: [
    {
      path: '/today',
      title: 'Today',
      nav: { label: 'Today', icon: Sun },
      load: () => import('./today/today.tsx').then((m) => m.Today),
    },
    {
      path: '/products',
      title: 'Products',
      nav: { label: 'Products', icon: Package },
      load: () => import('./products/products.tsx').then((m) => m.Products),
    },
    {
      path: '/products/import',
      title: 'Import products',
      needs: 'product.write',
      load: () => import('./products/import/import-products.tsx').then((m) => m.ImportProducts),
    },
    {
      path: '/products/:productId/labels',
      title: 'Labels',
      load: () => import('./papers/labels.tsx').then((m) => m.ProductLabels),
    },
    {
      path: '/products/:productId/:tab?',
      title: 'Product',
      load: () => import('./products/product-page.tsx').then((m) => m.ProductPage),
    },
    {
      path: '/stock',
      title: 'Stock',
      nav: { label: 'Stock', icon: Boxes },
      load: () => import('./stock/stock.tsx').then((m) => m.Stock),
    },
    {
      path: '/counts',
      title: 'Count stock',
      load: () => import('./counts/counts.tsx').then((m) => m.Counts),
    },
    {
      path: '/counts/:countId/:tab?',
      title: 'Count',
      load: () => import('./counts/count-page.tsx').then((m) => m.CountPage),
    },
    {
      path: '/orders',
      title: 'Orders',
      nav: { label: 'Orders', icon: ShoppingCart },
      load: () => import('./orders/orders.tsx').then((m) => m.Orders),
    },
    {
      path: '/orders/new',
      title: 'New order',
      load: () => import('./orders/new-order.tsx').then((m) => m.NewOrder),
    },
    {
      path: '/orders/backorders',
      title: 'Backorders',
      load: () => import('./orders/backorders.tsx').then((m) => m.Backorders),
    },
    {
      path: '/orders/pick-list',
      title: 'Pick list',
      load: () => import('./papers/papers.tsx').then((m) => m.PickListOfOrders),
    },
    {
      path: '/orders/:orderId',
      title: 'Order',
      load: () => import('./orders/order-page.tsx').then((m) => m.OrderPage),
    },
    {
      path: '/orders/:orderId/packing-slip',
      title: 'Packing slip',
      load: () => import('./papers/papers.tsx').then((m) => m.PackingSlip),
    },
    {
      path: '/orders/:orderId/pick-list',
      title: 'Pick list',
      load: () => import('./papers/papers.tsx').then((m) => m.PickList),
    },
    {
      path: '/purchasing',
      title: 'Purchasing',
      nav: { label: 'Purchasing', icon: Truck },
      load: () => import('./purchasing/purchase-orders.tsx').then((m) => m.PurchaseOrders),
    },
    {
      path: '/purchasing/new',
      title: 'New purchase order',
      needs: 'purchase.write',
      load: () => import('./purchasing/new-purchase-order.tsx').then((m) => m.NewPurchaseOrder),
    },
    {
      path: '/purchasing/reorder',
      title: 'Reorder',
      load: () => import('./purchasing/reorder.tsx').then((m) => m.Reorder),
    },
    {
      path: '/purchasing/:purchaseOrderId',
      title: 'Purchase order',
      load: () => import('./purchasing/purchase-order-page.tsx').then((m) => m.PurchaseOrderPage),
    },
    {
      path: '/purchasing/:id/paper',
      title: 'Purchase order',
      load: () => import('./papers/papers.tsx').then((m) => m.PurchaseOrderPaper),
    },
    {
      path: '/customers',
      title: 'Customers',
      nav: { label: 'Customers', icon: Users },
      load: () => import('./customers/customers.tsx').then((m) => m.Customers),
    },
    {
      path: '/customers/:customerId',
      title: 'Customer',
      load: () => import('./customers/customer-page.tsx').then((m) => m.CustomerPage),
    },
    {
      path: '/suppliers',
      title: 'Suppliers',
      nav: { label: 'Suppliers', icon: Factory },
      load: () => import('./suppliers/suppliers.tsx').then((m) => m.Suppliers),
    },
    {
      path: '/suppliers/:supplierId',
      title: 'Supplier',
      load: () => import('./suppliers/supplier-page.tsx').then((m) => m.SupplierPage),
    },
    {
      path: '/tracking',
      title: 'Batches and serials',
      nav: { label: 'Batches and serials', icon: Layers },
      load: () => import('./tracking/batches.tsx').then((m) => m.Batches),
    },
    {
      path: '/tracking/batches/:batchId',
      title: 'Batch',
      load: () => import('./tracking/batch-page.tsx').then((m) => m.BatchPage),
    },
    {
      path: '/tracking/batches/:id/labels',
      title: 'Labels',
      load: () => import('./papers/labels.tsx').then((m) => m.BatchLabels),
    },
    {
      path: '/tracking/serials',
      title: 'Batches and serials',
      load: () => import('./tracking/serials.tsx').then((m) => m.Serials),
    },
    {
      path: '/tracking/serials/:serialId',
      title: 'Serial',
      load: () => import('./tracking/serial-page.tsx').then((m) => m.SerialPage),
    },
    {
      path: '/reports',
      title: 'Reports',
      nav: { label: 'Reports', icon: ChartLine },
      load: () => import('./reports/reports.tsx').then((m) => m.Reports),
    },
    {
      path: '/reports/:report',
      title: 'Reports',
      load: () => import('./reports/reports.tsx').then((m) => m.Reports),
    },
    {
      path: '/webhooks',
      title: 'Webhooks',
      nav: { label: 'Webhooks', icon: Webhook },
      needs: 'webhook.manage',
      load: () => import('./webhooks/webhooks.tsx').then((m) => m.Webhooks),
    },
    {
      path: '/webhooks/:webhookId',
      title: 'Webhook',
      needs: 'webhook.manage',
      load: () => import('./webhooks/webhook-page.tsx').then((m) => m.WebhookPage),
    },
    {
      path: '/audit-log',
      title: 'Audit log',
      nav: { label: 'Audit log', icon: ScrollText },
      needs: 'audit.read',
      load: () => import('./audit/audit-log.tsx').then((m) => m.AuditLog),
    },
    {
      path: '/settings',
      title: 'Settings',
      nav: { label: 'Settings', icon: Settings },
      load: settings,
    },
    {
      path: '/settings/:tab',
      title: 'Settings',
      load: settings,
    },
  ],
  guestScreens: [
    {
      path: '/create-account',
      title: 'Create an account',
      link: 'Create an account',
      load: () => import('./account/create-account.tsx').then((m) => m.CreateAccount),
    },
    {
      path: '/forgot-password',
      title: 'Forgot password?',
      link: 'Forgot password?',
      load: () => import('./account/forgot-password.tsx').then((m) => m.ForgotPassword),
    },
  ],
})
