import { Send } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { toastError } from '#web/components/toast.tsx'
import { Answer } from './answer.tsx'
import type { TestResult, WebhooksClient } from './client.ts'

/** Sends a test event and shows what the receiver answers. */
export function SendTest({ client, id }: { client: WebhooksClient; id: string }) {
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<TestResult | null>(null)
  const send = async () => {
    setBusy(true)
    try {
      setResult(await client.test(id))
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button kind="primary" icon={Send} busy={isBusy} onClick={send}>
        Send test
      </Button>
      {result && (
        <Dialog title="Test event" onClose={() => setResult(null)}>
          <Answer
            result={result}
            before={[
              [
                'Result',
                result.error ? (
                  <Badge key="result" tone="bad">
                    Failed
                  </Badge>
                ) : (
                  <Badge key="result" tone="good">
                    Succeeded
                  </Badge>
                ),
              ],
            ]}
          />
        </Dialog>
      )}
    </>
  )
}
