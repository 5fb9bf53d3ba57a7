import type { ComponentChildren } from 'preact'

/** A part of a page with a heading of its own. */
export function Card(props: {
  title?: string
  text?: ComponentChildren
  actions?: ComponentChildren
  children?: ComponentChildren
}) {
  const { title, text, actions, children } = props
  return (
    <section class="card">
      {(title || actions) && (
        <header class="card-head">
          <div>
            {title && <h2>{title}</h2>}
            {text && <p class="quiet">{text}</p>}
          </div>
          {actions && <div class="card-actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}

/** Names and values, such as the metadata of an object. */
export function Facts({ items }: { items: [name: string, value: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
