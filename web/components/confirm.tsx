import { computed, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { PlainOrder } from './plain-order.tsx'

type Question = {
  title: string
  /** Names what will be lost. */
  text: ComponentChildren
  /** "Delete bucket" */
  verb: string
  danger?: boolean
}
type Asked = Question & { answer(value: boolean): void }

const asked = signal<Asked | null>(null)

/** Whether a question waits for its answer. */
export const isAsking = computed(() => asked.value !== null)

/** Asks before something that cannot be undone. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    asked.value?.answer(false)
    asked.value = {
      ...question,
      answer(value) {
        asked.value = null
        resolve(value)
      },
    }
  })

/** Asks before what was typed is lost. */
export const confirmDiscard = () =>
  confirm({
    title: 'Discard your changes?',
    text: 'What you have entered has not been saved.',
    verb: 'Discard changes',
    danger: true,
  })

const Shown = ({ title, text, verb, danger, answer }: Asked) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    // Not a link in the text, which a browser would take because it comes first.
    dialog?.querySelector<HTMLElement>('.form-actions button')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is followed by a key is clicked as well
    <dialog
      ref={element}
      class="dialog confirm"
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault()
        answer(false)
      }}
      // Who follows a link in it has answered.
      onClick={(event) => event.target instanceof HTMLAnchorElement && answer(false)}
    >
      <div class="dialog-frame">
        <h2 id={id}>
          <PlainOrder text={title} />
        </h2>
        <div class="confirm-text" id={`${id}-text`}>
          {typeof text === 'string' ? <PlainOrder text={text} /> : text}
        </div>
        <div class="form-actions">
          <Button kind={danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {verb}
          </Button>
          <Button onClick={() => answer(false)}>Cancel</Button>
        </div>
      </div>
    </dialog>
  )
}

/** Where questions appear; once in the frame. */
export function Confirmations() {
  const question = asked.value
  return question && <Shown key={question.title} {...question} />
}
