import { FieldNotes, type FieldProps, useField } from '#web/components/field.tsx'
import type { Values } from '#web/components/form-state.ts'

const kindOf = (type: string) => type.slice(0, type.indexOf('.'))

/** `object.*` and all of its types, kind by kind. */
const groupsOf = (types: readonly string[]) =>
  [...new Set(types.map(kindOf))].map((kind) => ({
    kind,
    ofKind: types.filter((type) => kindOf(type) === kind),
  }))

/** Chooses types of events: all of them, all of a kind, or single ones. Its value is an array of patterns. */
export function TypesField<V extends Values>(props: FieldProps<V> & { types: readonly string[] }) {
  const { attributes, id, value, set, error } = useField<V, HTMLInputElement>(props)
  const chosen = (Array.isArray(value) ? value : []) as string[]
  const isAll = chosen.includes('*')
  const toggle = (pattern: string, covers: (one: string) => boolean) =>
    set(
      chosen.includes(pattern)
        ? chosen.filter((one) => one !== pattern)
        : [...chosen.filter((one) => !covers(one)), pattern],
    )
  return (
    <fieldset class="field types-field" aria-describedby={attributes['aria-describedby']}>
      <legend>{props.label}</legend>
      <div class="check">
        <input
          id={id}
          ref={attributes.ref}
          type="checkbox"
          checked={isAll}
          onChange={() => set(isAll ? [] : ['*'])}
        />
        <label for={id}>All events</label>
      </div>
      {!isAll && (
        <div class="type-groups">
          {groupsOf(props.types).map(({ kind, ofKind }) => {
            const whole = `${kind}.*`
            const patterns = ofKind.length > 1 ? [whole, ...ofKind] : ofKind
            return (
              <div key={kind} class="type-group">
                {patterns.map((pattern) => (
                  <div key={pattern} class="check">
                    <input
                      id={`${id}-${pattern}`}
                      type="checkbox"
                      checked={chosen.includes(pattern) || chosen.includes(whole)}
                      disabled={pattern !== whole && chosen.includes(whole)}
                      onChange={() =>
                        toggle(pattern, (one) => pattern === whole && one.startsWith(`${kind}.`))
                      }
                    />
                    <label for={`${id}-${pattern}`}>
                      <code>{pattern}</code>
                    </label>
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      )}
      <FieldNotes id={id} hint={props.hint} error={error} />
    </fieldset>
  )
}
