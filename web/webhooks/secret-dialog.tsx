import { Button, CopyButton } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'

/** Shows a signing secret, which cannot be read again. */
export function SecretDialog(props: { title: string; secret: string; text: string; onClose: () => unknown }) {
  const { title, secret, text, onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p>{text}</p>
        <div class="secret">
          <code>{secret}</code>
          <CopyButton text={secret}>Copy</CopyButton>
        </div>
        <div class="form-actions">
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
