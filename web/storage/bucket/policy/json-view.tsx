import { useEffect, useRef } from 'preact/hooks'
import { TrivetError } from '#sdk/index.ts'
import { TextareaField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import type { FormState } from '#web/components/form-state.ts'
import { counted } from '#web/components/format.ts'
import { isOvertaken } from '../tagged-list.ts'
import { readPolicy, type Statement, sayFault, writePolicy } from './statements.ts'

type Values = { statements: string }

/** What has been typed and not saved yet: statements, or something that is no policy yet. Null if nothing was typed. */
export type Draft = { statements: Statement[] | null } | null

type Props = {
  statements: Statement[]
  etag: string
  /** `etag` is that of the policy from which the text was made. */
  onSave: (statements: Statement[], etag: string) => Promise<unknown>
  onDraft: (draft: Draft) => unknown
}

/** The whole policy as text, checked while one types. */
export function JsonView({ statements, etag, onSave, onDraft }: Props) {
  /** The tag of the policy from which the text was made; null once one knows that others have changed it. */
  const base = useRef<string | null>(etag)
  const saved = writePolicy(statements)
  const follow = (text: string) => {
    if (text === saved) base.current = etag
    onDraft(text === saved ? null : draftOf(text))
  }
  const save = async ({ statements: text }: Values) => {
    const { statements: next, faults } = readPolicy(text)
    if (faults[0]) throw refusal(sayFault(faults[0]))
    try {
      await onSave(next, base.current ?? etag)
    } catch (error) {
      if (!isOvertaken(error)) throw error
      base.current = null
      throw new Error('Somebody else has changed the policy since. Save again to replace it with yours.')
    }
  }
  useEffect(() => () => onDraft(null), [])
  return (
    <Form initial={{ statements: saved }} submit="Save policy" onSubmit={save}>
      {(form) => (
        <>
          <TextareaField form={form} name="statements" label="Statements" rows={16} mono />
          <Check form={form} etag={etag} onText={follow} />
        </>
      )}
    </Form>
  )
}

const draftOf = (text: string): Draft => {
  const { statements, faults } = readPolicy(text)
  return { statements: faults.length === 0 ? statements : null }
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

type CheckProps = { form: FormState<Values>; etag: string; onText: (text: string) => unknown }

const Check = ({ form, etag, onText }: CheckProps) => {
  const text = form.values.value.statements
  const { statements, faults } = readPolicy(text)
  useEffect(() => void onText(text), [text, etag])
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
