import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { Pencil, Tag } from 'lucide-preact'
import type { AnyComponent } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button, LinkButton } from '#web/components/button.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { Menu, type MenuItem } from '#web/components/menu.tsx'
import { Page } from '#web/components/page.tsx'
import { PendingPage } from '#web/components/pending-page.tsx'
import { Empty } from '#web/components/states.tsx'
import { Tabs } from '#web/components/tabs.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import type { ScreenProps } from '#web/frame/console.ts'
import { LazyPart } from '#web/frame/lazy-part.tsx'
import { useSession } from '#web/frame/session.ts'
import { api, type Product } from '../api.ts'
import { productQuery } from '../shared/products.ts'
import { EditProduct } from './edit-product.tsx'
import { ProductStatus } from './words.tsx'

const tabs: { label: string; path: string; load: () => Promise<AnyComponent<{ product: Product }>> }[] = [
  { label: 'Overview', path: '', load: () => import('./overview.tsx').then((m) => m.Overview) },
  { label: 'Stock', path: '/stock', load: () => import('./product-stock.tsx').then((m) => m.ProductStock) },
  {
    label: 'Movements',
    path: '/movements',
    load: () => import('./movements.tsx').then((m) => m.ProductMovements),
  },
  {
    label: 'Orders',
    path: '/orders',
    load: () => import('./product-orders.tsx').then((m) => m.ProductOrders),
  },
  {
    label: 'Batches and serials',
    path: '/tracking',
    load: () => import('./product-tracking.tsx').then((m) => m.ProductTracking),
  },
]

const breadcrumb = [{ label: 'Products', href: '/console/products' }]

export function ProductPage({ params }: ScreenProps) {
  const { productId = '', tab = '' } = params
  const { data: product, error, refetch } = useQuery(productQuery(Number(productId)))
  const current = tabs.find(({ path }) => path === (tab && `/${tab}`))
  if (!product) return <PendingPage title="Product" breadcrumb={breadcrumb} error={error} retry={refetch} />
  return (
    <Page
      title={product.name}
      breadcrumb={breadcrumb}
      text={
        <>
          <code>{product.sku}</code> <ProductStatus {...product} />
        </>
      }
      actions={<Actions product={product} />}
      tabs={
        <Tabs
          label="Product"
          items={tabs.map(({ label, path }) => ({ label, href: `/console/products/${productId}${path}` }))}
        />
      }
    >
      {current ? (
        <LazyPart key={product.id + current.path} load={current.load} props={{ product }} />
      ) : (
        <Empty
          title="There is nothing at this address"
          text="It may have been moved, or the link is wrong."
        />
      )}
    </Page>
  )
}

const Actions = ({ product }: { product: Product }) => {
  const { can } = useSession()
  const { route } = useLocation()
  const queries = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  const path = { id: product.id }
  const labels = (
    <LinkButton icon={Tag} href={`/console/products/${product.id}/labels`}>
      Print labels
    </LinkButton>
  )
  if (!can('product.write')) return labels

  const setActive = async (is_active: boolean) => {
    await api.PATCH('/api/products/{id}', { params: { path }, body: { is_active } })
    await queries.invalidateQueries({ queryKey: ['products'] })
  }
  const toggle = async () => {
    const { is_active, name } = product
    try {
      await setActive(!is_active)
      toast(`${name} is ${is_active ? 'inactive' : 'active'}`, { undo: () => setActive(is_active) })
    } catch (error) {
      toastError(error)
    }
  }
  const remove = async () => {
    const agreed = await confirm({
      title: `Delete ${product.name}?`,
      text: `Its stock of ${product.quantity_on_hand} is written off. Orders and reports keep its name and SKU. This cannot be undone.`,
      verb: 'Delete product',
      danger: true,
    })
    if (!agreed) return
    try {
      await api.DELETE('/api/products/{id}', { params: { path } })
      route('/console/products')
      toast(`${product.name} deleted`)
      await queries.invalidateQueries({ queryKey: ['products', 'list'] })
    } catch (error) {
      toastError(error)
    }
  }
  const items: MenuItem[] = [
    { label: product.is_active ? 'Deactivate' : 'Activate', onSelect: toggle },
    ...(can('product.delete') ? [{ label: 'Delete', danger: true, onSelect: remove }] : []),
  ]
  return (
    <>
      {labels}
      <Button icon={Pencil} onClick={() => setEditing(true)}>
        Edit
      </Button>
      <Menu label={`Actions for ${product.name}`} items={items} />
      {isEditing && <EditProduct product={product} onClose={() => setEditing(false)} />}
    </>
  )
}
