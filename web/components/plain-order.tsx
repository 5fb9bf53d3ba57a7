/** Characters that reorder the text after them, by which `exe.png` can be the name of a program. */
const reordering = /([\u202a-\u202e\u2066-\u2069])/

/** A text from strangers in its own order: what would reorder the rest is isolated, and does nothing. */
export function PlainOrder({ text }: { text: string }) {
  return <>{text.split(reordering).map((part, n) => (n % 2 === 1 ? <bdi key={n}>{part}</bdi> : part))}</>
}
