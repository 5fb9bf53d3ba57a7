import { CircleCheck, CircleX } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'
import { Card } from '#web/components/card.tsx'
import { SelectField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import type { Schemas } from '#web/storage/api.ts'
import type { Draft } from './json-view.tsx'
import { simulate } from './queries.ts'
import { StatementWords } from './statement-list.tsx'
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
  /** Tried instead of the saved policy. */
  draft: Draft
  /** Told which statement of the saved policy has decided; null if it was none. */
  onDecided: (statement: Statement | null) => unknown
}

const whatIsTried = (draft: Draft) => {
  if (!draft) return 'What the saved policy decides.'
  return draft.statements
    ? 'What the policy in the editor would decide if you saved it.'
    : 'What the saved policy decides, because the one in the editor is not valid yet.'
}

/** Asks the server what a policy decides, without doing anything. */
export function Simulator({ bucketId, subjects, draft, onDecided }: Props) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const statements = draft?.statements ?? undefined
  // What was decided about another policy says nothing about this one.
  useEffect(() => setAnswer(null), [JSON.stringify(statements)])
  return (
    <Card title="Try it" text={`${whatIsTried(draft)} Nothing is changed or recorded.`}>
      <Form
        initial={{ subject: 'role:member', action: 'object.read', objectKey: '' }}
        submit="Simulate"
        careless
        onSubmit={async ({ subject, action, objectKey }) => {
          const named = subjectOf(subject)
          const question = { ...named, action, objectKey: objectKey || null }
          const found = await simulate(bucketId, { ...question, ...(statements ? { statements } : {}) })
          setAnswer(found)
          if (!statements) onDecided(found.statement)
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
      <div class="simulated" role="status">
        {answer && <Decision {...answer} />}
        {statements && answer?.statement && (
          <div class="statement decisive" aria-current="true">
            <StatementWords statement={answer.statement} subjects={subjects} isDecisive />
          </div>
        )}
      </div>
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
