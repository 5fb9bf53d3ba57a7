import { WifiOff } from 'lucide-preact'
import { isReachable } from './connection.ts'

/** Says when the server cannot be reached. It is always there, because only changes of a live region are read out. */
export function StatusLine() {
  return (
    <div class="status-line" role="status">
      {!isReachable.value && (
        <p>
          <WifiOff size={16} aria-hidden="true" />
          The server cannot be reached. Trying again…
        </p>
      )}
    </div>
  )
}
