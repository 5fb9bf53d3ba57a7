import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { FormState } from '#web/components/form-state.ts'
import { CameraButton } from '../scan/camera.tsx'
import { shownCode } from '../scan/codes.ts'
import { typeSeparator, usePace, useScannerFocus } from '../scan/keys.ts'

export type Choice<Item> = {
  key: string
  item: Item
  label: string
  detail: ComponentChildren
  /** Whether the text is a code of it, and no part of a name. */
  isExact?: boolean
}

type PickerProps<Item> = {
  label: string
  /** The form that it belongs to: if it is sent while something is being looked up, it waits for that. */
  form?: Pick<FormState, 'include'>
  placeholder?: string
  hint?: ComponentChildren
  /** What fits the text, the best first. */
  search: (text: string, signal: AbortSignal) => Promise<Choice<Item>[]>
  /**
   * Told whether it was scanned, so that the next thing to come is another scan. Resolves to what became of it; without a
   * word the camera closes, because something has to be entered.
   */
  onPick: (choice: Choice<Item>, text: string, isScan: boolean) => unknown
  /** Whether it takes codes: from the camera, and from a scanner wherever the focus is. */
  scans?: boolean
  /** Enter without a text. */
  onEmpty?: () => unknown
  /** What is shown while nothing is typed, such as what has been picked. */
  value?: string
  /** What is wrong with what was picked. */
  error?: string | undefined
  autofocus?: boolean
  inputRef?: (input: HTMLInputElement | null) => unknown
}

const pauseMs = 120

/** A code and no word: nothing but the product that has it can be meant. */
const isCode = (text: string) => /\d/.test(text)

const nothingFor = (text: string) => `Nothing found for “${shownCode(text)}”`

/**
 * A field with suggestions. Enter waits for the answer to what has been typed, so that a hand scanner, which types fast
 * and ends with Enter, gets what it scanned and not what was suggested a moment before.
 */
export function Picker<Item>(props: PickerProps<Item>) {
  const { label, placeholder, hint, search, onPick, error, value = '' } = props
  const [text, setText] = useState<string | null>(null)
  const [found, setFound] = useState<{ of: string; choices: Choice<Item>[] }>({ of: '', choices: [] })
  const [at, setAt] = useState(0)
  const [nothing, setNothing] = useState('')
  const running = useRef<{
    wanted: string
    ending: AbortController
    choices: Promise<Choice<Item>[] | null>
    /** Whether Enter waits for it. */
    isAwaited?: boolean
  }>()
  const entered = useRef<Promise<unknown>>(Promise.resolve())
  const id = useId()
  const typed = text?.trim() ?? ''
  const isOpen = typed !== '' && found.of === typed && found.choices.length > 0

  const find = (wanted: string) => {
    const last = running.current
    // Enter and the pause after typing ask for the same: neither may end the search of the other.
    if (last?.wanted === wanted && !last.ending.signal.aborted) return last.choices
    if (!last?.isAwaited) last?.ending.abort()
    const ending = new AbortController()
    const ask = async () => {
      const choices = await search(wanted, ending.signal)
      if (ending.signal.aborted) return null
      setFound({ of: wanted, choices })
      setAt(0)
      setNothing(choices.length === 0 ? wanted : '')
      return choices
    }
    const choices = ask().catch((error) => {
      if (ending.signal.aborted) return null
      ending.abort()
      throw error
    })
    running.current = { wanted, ending, choices }
    return choices
  }
  useEffect(() => {
    if (!typed) return
    const timer = setTimeout(() => find(typed).catch(() => {}), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => () => running.current?.ending.abort(), [])
  const input = useRef<HTMLInputElement>(null)
  // After the heading of the page, which gets the focus when the page appears; but not from somebody who types already.
  useEffect(() => {
    if (!props.autofocus) return
    requestAnimationFrame(() => {
      if (!document.activeElement?.matches('input, select, textarea')) input.current?.focus()
    })
  }, [])

  useScannerFocus(input, props.scans === true)
  const isScannersPace = usePace(input)

  const pick = (choice: Choice<Item>, of = typed, isScan = false) => {
    if (running.current?.wanted === of) running.current.ending.abort()
    // A scanner may be typing the next code already.
    setText((now) => (now?.trim() === of ? null : now))
    setFound({ of: '', choices: [] })
    setNothing('')
    return onPick(choice, of, isScan)
  }
  /** Picks what fits best, of what was scanned only what has the code. Does nothing if something else was picked meanwhile. */
  const settle = async (wanted: string, isScan: boolean) => {
    const search = find(wanted)
    if (running.current) running.current.isAwaited = true
    const choices = await search
    if (!choices) return undefined
    const [best] = choices
    if (!best || (isScan && isCode(wanted) && !best.isExact)) {
      setNothing(wanted)
      setFound({ of: '', choices: [] })
      throw new Error(nothingFor(wanted))
    }
    return (await pick(best, wanted, isScan && best.isExact === true)) as string | undefined
  }
  /** What is entered is taken in its order, and the next code takes its place in the field. */
  const enter = (event: KeyboardEvent) => {
    const isScan = props.scans === true && isScannersPace(event, typed)
    const choice = isOpen && !isScan && found.choices[at]
    if (!typed) props.onEmpty?.()
    else if (choice) void pick(choice)
    else {
      input.current?.select()
      const settled = entered.current.then(() => settle(typed, isScan))
      entered.current = settled.catch(() => {})
      props.form?.include(settled)
    }
  }
  const onKey = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if ((props.scans && typeSeparator(event)) || event.ctrlKey || event.metaKey) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') enter(event)
    else if (step && isOpen) setAt((at + step + found.choices.length) % found.choices.length)
    else if (event.key === 'Escape' && typed) setText(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div class="field picker">
      <label for={id}>{label}</label>
      <div class="scan-box">
        <input
          id={id}
          ref={(element) => {
            input.current = element
            props.inputRef?.(element)
          }}
          type="text"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={
            [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
          }
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={text ?? value}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setNothing('')
          }}
          onBlur={() => setText(null)}
          onKeyDown={onKey}
        />
        {props.scans && <CameraButton onScan={(code) => settle(code, true)} />}
        <div id={`${id}-list`} class="picker-list" role="listbox" aria-label="Suggestions" hidden={!isOpen}>
          {isOpen &&
            found.choices.map((choice, n) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, whose keys choose among the options
              // biome-ignore lint/a11y/useKeyWithClickEvents: as above
              <div
                key={choice.key}
                id={`${id}-${n}`}
                class="picker-item"
                role="option"
                aria-selected={n === at}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => void pick(choice)}
              >
                <span class="picker-label">{choice.label}</span>
                <span class="quiet">{choice.detail}</span>
              </div>
            ))}
        </div>
      </div>
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <p class="field-error" id={`${id}-error`} role="status">
        {nothing && nothing === typed ? nothingFor(nothing) : (error ?? '')}
      </p>
    </div>
  )
}
