import { useId, useRef, useState } from 'preact/hooks'
import { CopyButton } from './button.tsx'
import { moveFocus } from './focus.ts'

/** What a client needs, ready to be pasted. */
export type Snippet = { name: string; text: string }

/** One snippet at a time. They are not addresses: a key that is shown once must not be in one. */
export function SnippetTabs({ snippets }: { snippets: Snippet[] }) {
  const [at, setAt] = useState(0)
  const chosen = snippets[at]
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  return (
    <div class="snippets">
      <div
        ref={list}
        class="tabs"
        role="tablist"
        aria-label="Clients"
        onKeyDown={(event) => moveFocus(event, list.current, '[role=tab]', ['ArrowLeft', 'ArrowRight'])}
      >
        {snippets.map((snippet, n) => (
          <button
            key={snippet.name}
            id={`${id}-${snippet.name}`}
            class="tab"
            type="button"
            role="tab"
            aria-selected={n === at}
            aria-controls={`${id}-text`}
            tabIndex={n === at ? 0 : -1}
            onClick={() => setAt(n)}
          >
            {snippet.name}
          </button>
        ))}
      </div>
      <div id={`${id}-text`} role="tabpanel" aria-labelledby={`${id}-${chosen?.name}`} class="snippet-panel">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it */}
        <pre class="snippet" tabIndex={0}>
          {chosen?.text}
        </pre>
        <CopyButton text={chosen?.text ?? ''} label={`Copy for ${chosen?.name}`} />
      </div>
    </div>
  )
}
