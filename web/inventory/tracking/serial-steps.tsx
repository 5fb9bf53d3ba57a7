import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Dialog } from '#web/components/dialog.tsx'
import { TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { useSession } from '#web/frame/session.ts'
import { api, type Serial } from '../api.ts'
import { stockKeys } from '../shared/stock-keys.ts'
import { statusNames, steps } from './words.tsx'

type Status = Serial['status']

/** From where a step leads back to where it came from. */
const canUndo = (from: Status, to: Status) => steps[to].some((step) => step.to === from)

/** The steps in the life of a serial that somebody may take now, and the question before the last one. */
export const useSerialSteps = () => {
  const { can } = useSession()
  const queries = useQueryClient()
  const [scrapped, setScrapped] = useState<Serial | null>(null)

  const change = async ({ id }: Serial, status: Status, notes: string | null = null) => {
    await api.PATCH('/api/serials/{id}', { params: { path: { id } }, body: { status, notes } })
    for (const queryKey of stockKeys) await queries.invalidateQueries({ queryKey })
  }
  const move = async (serial: Serial, to: Status) => {
    try {
      await change(serial, to)
      toast(
        `${serial.serial_number} is ${statusNames[to].toLowerCase()}`,
        canUndo(serial.status, to) ? { undo: () => change(serial, serial.status) } : {},
      )
    } catch (error) {
      toastError(error)
      await queries.invalidateQueries({ queryKey: ['serials'] })
    }
  }
  const stepsOf = (serial: Serial) =>
    can('tracking.write')
      ? steps[serial.status].map(({ to, label }) => ({
          label,
          danger: to === 'scrapped',
          onSelect: () => (to === 'scrapped' ? setScrapped(serial) : move(serial, to)),
        }))
      : []
  const question = scrapped && (
    <Dialog title={`Scrap ${scrapped.serial_number}?`} onClose={() => setScrapped(null)}>
      <p>
        This unit of <strong>{scrapped.product_name}</strong> is written off. This cannot be undone.
      </p>
      <Form
        initial={{ notes: '' }}
        submit="Scrap serial"
        danger
        onCancel={() => setScrapped(null)}
        onSubmit={async ({ notes }) => {
          await change(scrapped, 'scrapped', notes.trim() || null)
          setScrapped(null)
          toast(`${scrapped.serial_number} is scrapped`)
        }}
      >
        {(form) => <TextField form={form} name="notes" label="Reason" />}
      </Form>
    </Dialog>
  )
  return { stepsOf, question }
}
