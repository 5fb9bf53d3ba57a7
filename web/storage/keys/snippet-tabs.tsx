import { useId, useRef, useState } from 'preact/hooks'
import { CopyButton } from '#web/components/button.tsx'
import { moveFocus } from '#web/components/focus.ts'
import { type Access, snippets } from './snippets.ts'

/** One snippet at a time. They are not addresses: a key that is shown once must not be in one. */
export function SnippetTabs({ access }: { access: Access }) {
  const [chosen, setChosen] = useState(snippets[0])
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const text = chosen?.of(access) ?? ''
  return (
    <div class="snippets">
      <div
        ref={list}
        class="tabs"
        role="tablist"
        aria-label="Clients"
        onKeyDown={(event) => moveFocus(event, list.current, '[role=tab]', ['ArrowLeft', 'ArrowRight'])}
      >
        {snippets.map((snippet) => (
          <button
            key={snippet.name}
            id={`${id}-${snippet.name}`}
            class="tab"
            type="button"
            role="tab"
            aria-selected={snippet === chosen}
            aria-controls={`${id}-text`}
            tabIndex={snippet === chosen ? 0 : -1}
            onClick={() => setChosen(snippet)}
          >
            {snippet.name}
          </button>
        ))}
      </div>
      <div id={`${id}-text`} role="tabpanel" aria-labelledby={`${id}-${chosen?.name}`} class="snippet-panel">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it */}
        <pre class="snippet" tabIndex={0}>
          {text}
        </pre>
        <CopyButton text={text} label={`Copy for ${chosen?.name}`} />
      </div>
    </div>
  )
}
