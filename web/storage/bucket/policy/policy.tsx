import { useQuery } from '@tanstack/preact-query'
import { Plus, ScrollText } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { confirmDiscard } from '#web/components/confirm.tsx'
import { Empty, ErrorState, Skeleton } from '#web/components/states.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { hasUnsaved } from '#web/components/unsaved.ts'
import { useSession } from '#web/frame/session.ts'
import type { BucketTab } from '#web/storage/bucket-tab.ts'
import { errorsOfPart } from '../errors-of-part.ts'
import { type Draft, JsonView } from './json-view.tsx'
import { changePolicy, policyQuery, replacePolicy } from './queries.ts'
import { Simulator } from './simulator.tsx'
import { StatementDialog } from './statement-dialog.tsx'
import { replaceStatement, withoutStatement, withStatement } from './statement-edits.ts'
import { StatementList } from './statement-list.tsx'
import { fieldInForm } from './statement-values.ts'
import { indexOfStatement, type Statement } from './statements.ts'
import { useSubjects } from './subjects.ts'

type View = 'form' | 'json'
const views: [View, string][] = [
  ['form', 'Form'],
  ['json', 'JSON'],
]

/** Who may do what with which objects of a bucket: statements, and a way to try them. */
export function Policy({ bucket }: BucketTab) {
  const { data, error, refetch } = useQuery(policyQuery(bucket.id))
  const subjects = useSubjects()
  const { can } = useSession()
  const [view, setView] = useState<View>('form')
  const [edited, setEdited] = useState<Statement | 'new' | null>(null)
  // What somebody else saves meanwhile does not replace what is being typed.
  const [saved, setSaved] = useState(0)
  const [draft, setDraft] = useState<Draft>(null)
  const [decided, setDecided] = useState<Statement | null>(null)
  if (!data) return error ? <ErrorState error={error} retry={refetch} /> : <Skeleton lines={6} />

  const { items: statements, etag } = data
  const change = (next: (statements: Statement[]) => Statement[]) => changePolicy(bucket.id, next)
  const remove = async (index: number) => {
    const removed = statements[index] as Statement
    try {
      await change((all) => withoutStatement(all, removed))
      toast('Statement deleted', { undo: () => change((all) => withStatement(all, index, removed)) })
    } catch (reason) {
      toastError(reason)
    }
  }
  const saveOne = async (statement: Statement) => {
    const isNew = edited === 'new'
    const saving = change((all) =>
      isNew
        ? withStatement(all, all.length, statement)
        : replaceStatement(all, edited as Statement, statement),
    )
    await errorsOfPart('statements', saving, fieldInForm)
    toast(isNew ? 'Statement added' : 'Changes saved')
  }
  const show = async (next: View) => {
    if (next === view || (hasUnsaved() && !(await confirmDiscard()))) return
    setView(next)
  }

  const canChange = can('policy.write')
  const add = canChange && (
    <Button kind="primary" icon={Plus} onClick={() => setEdited('new')}>
      New statement
    </Button>
  )
  return (
    <div class="policy">
      <Card
        title="Statements"
        text="A statement that denies wins over any that allows. Where none applies, the role decides."
        actions={
          <>
            <fieldset class="switch">
              <legend class="visually-hidden">View</legend>
              {views.map(([value, label]) => (
                <button key={value} type="button" aria-pressed={view === value} onClick={() => show(value)}>
                  {label}
                </button>
              ))}
            </fieldset>
            {view === 'form' && statements.length > 0 && add}
          </>
        }
      >
        {view === 'json' ? (
          <JsonView
            key={saved}
            statements={statements}
            etag={etag}
            onDraft={setDraft}
            onSave={async (next, base) => {
              await replacePolicy(bucket.id, next, base)
              setSaved((n) => n + 1)
              toast('Policy saved')
            }}
          />
        ) : statements.length === 0 ? (
          <Empty
            icon={ScrollText}
            title="No statements"
            text="Roles alone decide who may use this bucket. Statements allow or deny more, down to single objects."
            action={add}
          />
        ) : (
          <StatementList
            statements={statements}
            subjects={subjects}
            decided={decided ? indexOfStatement(statements, decided) : -1}
            canChange={canChange}
            onEdit={(index) => setEdited(statements[index] as Statement)}
            onDelete={remove}
          />
        )}
      </Card>
      <Simulator
        bucketId={bucket.id}
        subjects={subjects}
        draft={draft}
        onDecided={(statement) => {
          setDecided(statement)
          if (statement) void show('form')
        }}
      />
      {edited !== null && (
        <StatementDialog
          statement={edited === 'new' ? undefined : edited}
          subjects={subjects}
          onSave={saveOne}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  )
}
