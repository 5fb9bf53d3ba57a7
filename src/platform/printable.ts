type Output = { write(text: string): unknown }

/** A text that somebody else chose, as part of one line: it must not control the terminal, nor look like another line. */
export const printable = (text: string) => text.replace(/[\x00-\x1f\x7f-\x9f]/g, '?')

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** An output that cannot control the terminal, whatever is written to it. JSON keeps its meaning. */
export const harmless = (output: Output): Output => ({
  write: (text) => output.write(text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, escaped)),
})
