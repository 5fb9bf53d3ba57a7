import { CircleCheck, CircleX } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Card } from '#web/components/card.tsx'
import { SelectField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import type { Schemas } from '#web/storage/api.ts'
import { simulate } from './queries.ts'
import { subjectOf } from './statement-values.ts'
import { actions, type Statement, sayReason } from './statements.ts'
import { SubjectField } from './subject-field.tsx'
import type { Subjects } from './subjects.ts'

const actionOptions = Object.entries(actions).map(([value, words]) => ({
  value,
  label: `${words.charAt(0).toUpperCase()}${words.slice(1)} (${value})`,
}))

type Answer = Schemas['PolicyAnswer']
type Props = {
  bucketId: string
  subjects: Subjects
  /** Told which statement has decided; null if it was none. */
  onDecided: (statement: Statement | null) => unknown
}

/** Asks the server what the saved policy decides, without doing anything. */
export function Simulator({ bucketId, subjects, onDecided }: Props) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  return (
    <Card title="Try it" text="What the saved policy decides. Nothing is changed or recorded.">
      <Form
        initial={{ subject: 'role:member', action: 'object.read', objectKey: '' }}
        submit="Simulate"
        careless
        onSubmit={async ({ subject, action, objectKey }) => {
          const named = subjectOf(subject)
          const found = await simulate(bucketId, { ...named, action, objectKey: objectKey || null })
          setAnswer(found)
          onDecided(found.statement)
        }}
      >
        {(form) => (
          <>
            <SubjectField form={form} name="subject" label="Subject" subjects={subjects} />
            <SelectField form={form} name="action" label="Action" options={actionOptions} />
            <TextField
              form={form}
              name="objectKey"
              label="Object"
              placeholder="photos/2026/harbour.jpg"
              hint="A key; leave it empty for the bucket itself."
              mono
            />
          </>
        )}
      </Form>
      <div role="status">{answer && <Decision {...answer} />}</div>
    </Card>
  )
}

const Decision = ({ decision, reason }: Answer) => {
  const isAllowed = decision === 'allow'
  const Shown = isAllowed ? CircleCheck : CircleX
  return (
    <p class={isAllowed ? 'decision good' : 'decision bad'}>
      <Shown size={18} aria-hidden="true" />
      <span>
        <strong>{isAllowed ? 'Allowed' : 'Denied'}</strong> {sayReason(reason)}
      </span>
    </p>
  )
}
