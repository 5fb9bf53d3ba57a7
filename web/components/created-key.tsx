import type { ComponentChildren } from 'preact'
import { Button, CopyButton } from './button.tsx'

type Props = { secret: string; onClose: () => unknown; children: ComponentChildren }

/** A new key with its secret, which is shown this once, and how to use it. */
export function CreatedKey({ secret, onClose, children }: Props) {
  return (
    <div class="stack">
      <p>
        Copy the key now. <strong>It is shown only this once.</strong>
      </p>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton text={secret}>Copy</CopyButton>
      </div>
      <h3 class="section-title">Use it</h3>
      {children}
      <div class="form-actions">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}
