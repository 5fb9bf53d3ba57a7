import type { ComponentChildren } from 'preact'

/** The few numbers that matter most, large. */
export const Figures = ({ items }: { items: [name: string, value: ComponentChildren][] }) => (
  <dl class="figures">
    {items.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
