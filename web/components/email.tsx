/** An address of an email, which is broken between its parts where it has to be broken, and not inside of a word. */
export const Email = ({ of }: { of: string }) =>
  of.split(/(?<=@)|(?=\.)/).map((part, n) => (
    <>
      {n > 0 && <wbr />}
      {part}
    </>
  ))
