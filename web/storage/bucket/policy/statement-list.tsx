import { Pencil, Trash2 } from 'lucide-preact'
import { Badge } from '#web/components/badge.tsx'
import { IconButton } from '#web/components/button.tsx'
import { conditionLabels, describeStatement, type Statement } from './statements.ts'
import type { Subjects } from './subjects.ts'

type Props = {
  statements: Statement[]
  subjects: Subjects
  /** The statement that decided the last simulation. */
  decided: number
  canChange: boolean
  onEdit: (index: number) => unknown
  onDelete: (index: number) => unknown
}

const conditionsOf = ({ conditions }: Statement) =>
  Object.entries(conditions ?? {}).map(([name, value]) => {
    const label = conditionLabels[name as keyof typeof conditionLabels] ?? name
    return `${label}: ${[value].flat().join(', ')}`
  })

/** Whether it allows or denies, and what it says as a sentence. */
export const StatementWords = ({
  statement,
  subjects,
  isDecisive,
}: {
  statement: Statement
  subjects: Subjects
  isDecisive: boolean
}) => (
  <>
    <Badge tone={statement.effect === 'allow' ? 'good' : 'bad'}>
      {statement.effect === 'allow' ? 'Allow' : 'Deny'}
    </Badge>
    <div class="statement-words">
      <p>{describeStatement(statement, subjects.nameOf)}</p>
      {conditionsOf(statement).map((condition) => (
        <p key={condition} class="quiet">
          {condition}
        </p>
      ))}
      {isDecisive && <p class="decided">Decided by this statement</p>}
    </div>
  </>
)

/** The statements of a policy as sentences. */
export function StatementList({ statements, subjects, decided, canChange, onEdit, onDelete }: Props) {
  return (
    <ol class="statements" aria-label="Statements">
      {statements.map((statement, index) => {
        const isDecisive = index === decided
        return (
          <li
            key={index}
            class={isDecisive ? 'statement decisive' : 'statement'}
            aria-current={isDecisive ? 'true' : undefined}
          >
            <StatementWords statement={statement} subjects={subjects} isDecisive={isDecisive} />
            {canChange && (
              <div class="statement-buttons">
                <IconButton
                  label={`Edit statement ${index + 1}`}
                  icon={Pencil}
                  onClick={() => onEdit(index)}
                />
                <IconButton
                  label={`Delete statement ${index + 1}`}
                  icon={Trash2}
                  onClick={() => onDelete(index)}
                />
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
