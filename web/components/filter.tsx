type Option = { value: string; label: string }

/** A filter with a few values. Its first option, with an empty value, is no filter. */
export function Filter(props: {
  label: string
  value: string
  options: Option[]
  onChange: (value: string) => unknown
}) {
  const { label, value, options, onChange } = props
  return (
    <select
      class={value ? 'filter on' : 'filter'}
      aria-label={label}
      value={value}
      onChange={(event) => void onChange(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

/** A day, such as the beginning of a period. */
export function DateFilter(props: { label: string; value: string; onChange: (value: string) => unknown }) {
  const { label, value, onChange } = props
  return (
    <label class="date-filter">
      <span>{label}</span>
      <input type="date" value={value} onChange={(event) => void onChange(event.currentTarget.value)} />
    </label>
  )
}
