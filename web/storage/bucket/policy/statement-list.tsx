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

/** The statements of a policy as sentences. */
export function StatementList({ statements, subjects, decided, canChange, onEdit, onDelete }: Props) {
  return (
    <ol class="statements" aria-label="Statements">
      {statements.map((statement, index) => {
        const words = describeStatement(statement, subjects.nameOf)
        const isDecisive = index === decided
        return (
          <li
            key={index}
            class={isDecisive ? 'statement decisive' : 'statement'}
            aria-current={isDecisive ? 'true' : undefined}
          >
            <Badge tone={statement.effect === 'allow' ? 'good' : 'bad'}>
              {statement.effect === 'allow' ? 'Allow' : 'Deny'}
            </Badge>
            <div class="statement-words">
              <p>{words}</p>
              {conditionsOf(statement).map((condition) => (
                <p key={condition} class="quiet">
                  {condition}
                </p>
              ))}
              {isDecisive && <p class="decided">Decided by this statement</p>}
            </div>
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
