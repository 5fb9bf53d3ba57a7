import { Upload } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

type Props = { text: string; onDrop: (transfer: DataTransfer) => void; children: ComponentChildren }

/** Files can be dropped anywhere on what it contains. Dropped elsewhere, they do not replace the page. */
export function DropZone({ text, onDrop, children }: Props) {
  const [isOver, setOver] = useState(false)
  const depth = useRef(0)
  useEffect(() => {
    const keepPage = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    addEventListener('dragover', keepPage)
    addEventListener('drop', keepPage)
    return () => {
      removeEventListener('dragover', keepPage)
      removeEventListener('drop', keepPage)
    }
  }, [])
  const enter = (event: DragEvent, by: 1 | -1) => {
    if (!hasFiles(event)) return
    depth.current = Math.max(0, depth.current + by)
    setOver(depth.current > 0)
  }
  const drop = (event: DragEvent) => {
    if (!hasFiles(event) || !event.dataTransfer) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    onDrop(event.dataTransfer)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button does the same
    <div
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragEnter={(event) => enter(event, 1)}
      onDragLeave={(event) => enter(event, -1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <div class="drop-hint">
          <Upload size={24} aria-hidden="true" />
          {text}
        </div>
      )}
    </div>
  )
}
