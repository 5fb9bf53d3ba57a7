import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export function Section(props: { title: string; actions?: ComponentChildren; children: ComponentChildren }) {
  const id = useId()
  return (
    <section class="panel-section" aria-labelledby={id}>
      <header>
        <h3 id={id}>{props.title}</h3>
        {props.actions}
      </header>
      {props.children}
    </section>
  )
}
