import { useEffect } from 'preact/hooks'
import { TrivetError } from '#sdk/index.ts'
import { TextareaField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import type { FormState } from '#web/components/form-state.ts'
import { counted } from '#web/components/format.ts'
import { readPolicy, type Statement, sayFault, writePolicy } from './statements.ts'

type Values = { statements: string }

/** What has been typed and not saved yet: statements, or something that is no policy yet. Null if nothing was typed. */
export type Draft = { statements: Statement[] | null } | null

type Props = {
  statements: Statement[]
  onSave: (statements: Statement[]) => Promise<unknown>
  onDraft: (draft: Draft) => unknown
}

/** The whole policy as text, checked while one types. */
export function JsonView({ statements, onSave, onDraft }: Props) {
  useEffect(() => () => onDraft(null), [])
  return (
    <Form
      initial={{ statements: writePolicy(statements) }}
      submit="Save policy"
      onSubmit={async ({ statements: text }) => {
        const { statements: next, faults } = readPolicy(text)
        if (faults[0]) throw refusal(sayFault(faults[0]))
        await onSave(next)
      }}
    >
      {(form) => (
        <>
          <TextareaField form={form} name="statements" label="Statements" rows={16} mono />
          <Check form={form} onDraft={onDraft} />
        </>
      )}
    </Form>
  )
}

/** The same as the server would say. */
const refusal = (message: string) =>
  new TrivetError({
    status: 400,
    code: 'invalid',
    message,
    fields: [{ field: 'statements', message }],
    requestId: null,
    body: null,
  })

const shown = 5

const Check = ({ form, onDraft }: { form: FormState<Values> } & Pick<Props, 'onDraft'>) => {
  const text = form.values.value.statements
  const isDirty = form.isDirty.value
  const { statements, faults } = readPolicy(text)
  useEffect(() => {
    onDraft(isDirty ? { statements: faults.length === 0 ? statements : null } : null)
  }, [text, isDirty])
  if (faults.length === 0)
    return (
      <p class="verdict" role="status">
        {counted(statements.length, 'statement')}, all of them valid.
      </p>
    )
  return (
    <div class="verdict bad" role="status">
      <ul>
        {faults.slice(0, shown).map((fault) => (
          <li key={sayFault(fault)}>{sayFault(fault)}</li>
        ))}
      </ul>
      {faults.length > shown && <p>And {counted(faults.length - shown, 'more fault')}.</p>}
    </div>
  )
}
