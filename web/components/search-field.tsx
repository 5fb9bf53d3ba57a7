import { Search } from 'lucide-preact'
import { useEffect, useRef, useState } from 'preact/hooks'

type SearchProps = {
  label: string
  value: string
  /** Called when typing pauses, and on Enter. */
  onInput: (value: string) => unknown
  placeholder?: string
}

const pauseMs = 250

export function SearchField({ label, value, onInput, placeholder }: SearchProps) {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  useEffect(() => () => clearTimeout(timer.current), [])
  // Something else changed it, such as "Clear filters" or the back button.
  if (value !== sent.current) {
    sent.current = value
    setTyped(value)
  }
  const send = (text: string) => {
    clearTimeout(timer.current)
    if (text === sent.current) return
    sent.current = text
    void onInput(text)
  }
  return (
    <div class="search">
      <Search size={16} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        data-search="true"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => {
          const text = currentTarget.value
          setTyped(text)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => send(text), pauseMs)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(event.currentTarget.value)
          if (event.key === 'Escape' && typed) {
            event.stopPropagation()
            event.preventDefault()
            setTyped('')
            send('')
          }
        }}
      />
    </div>
  )
}
