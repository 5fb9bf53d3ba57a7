import { FieldFrame, type FieldProps, useField } from '#web/components/field.tsx'
import type { Values } from '#web/components/form-state.ts'
import type { Choice, Subjects } from './subjects.ts'

const Group = ({ label, choices }: { label: string; choices: Choice[] }) =>
  choices.length > 0 ? (
    <optgroup label={label}>
      {choices.map(({ value, label: text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </optgroup>
  ) : null

type Props<V extends Values> = FieldProps<V> & {
  subjects: Subjects
  /** Choices besides those with a name, such as everybody. */
  more?: Choice[]
}

/** A person, a role or a key, by name. */
export function SubjectField<V extends Values>(props: Props<V>) {
  const { attributes, id, value, set, error } = useField<V, HTMLSelectElement>(props)
  const { choices } = props.subjects
  const all = [...choices.roles, ...choices.people, ...choices.keys, ...(props.more ?? [])]
  const chosen = String(value ?? '')
  // Somebody who was removed, or the key of somebody else: it stays what it is unless it is changed.
  const unknown = chosen && !all.some((one) => one.value === chosen) ? [{ value: chosen, label: chosen }] : []
  return (
    <FieldFrame id={id} label={props.label} hint={props.hint} error={error}>
      <select {...attributes} value={chosen} onChange={(event) => set(event.currentTarget.value)}>
        <Group label="Roles" choices={choices.roles} />
        <Group label="People" choices={choices.people} />
        <Group label="Keys" choices={choices.keys} />
        <Group label="All" choices={[...(props.more ?? []), ...unknown]} />
      </select>
    </FieldFrame>
  )
}
