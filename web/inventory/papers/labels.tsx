import type { ScreenProps } from '#web/frame/console.ts'
import { api } from '../api.ts'
import { LabelPage } from './label-page.tsx'
import { batchLabelQuery, productLabelQuery } from './queries.ts'

export function ProductLabels({ params: { productId = '' } }: ScreenProps) {
  const path = { id: Number(productId) }
  return (
    <LabelPage
      query={productLabelQuery(path.id)}
      breadcrumbOf={(label) => [
        { label: 'Products', href: '/console/products' },
        ...(label ? [{ label: label.title, href: `/console/products/${productId}` }] : []),
      ]}
      pdf={(query) => api.GET('/api/products/{id}/label.pdf', { params: { path, query }, parseAs: 'blob' })}
    />
  )
}

export function BatchLabels({ params: { id = '' } }: ScreenProps) {
  const path = { id: Number(id) }
  return (
    <LabelPage
      query={batchLabelQuery(path.id)}
      breadcrumbOf={(label) => [
        { label: 'Batches and serials', href: '/console/tracking' },
        ...(label ? [{ label: label.title, href: `/console/tracking/batches/${id}` }] : []),
      ]}
      pdf={(query) => api.GET('/api/batches/{id}/label.pdf', { params: { path, query }, parseAs: 'blob' })}
    />
  )
}
