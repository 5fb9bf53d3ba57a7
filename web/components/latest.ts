/**
 * The current version of a row, for a dialog that was opened from a list: it shows what somebody else has saved in the
 * meantime instead of overwriting it with older values. A row that is no longer listed stays as it was.
 */
export const latest = <Row extends { id: number | string }>(row: Row, rows: Row[] = []): Row =>
  rows.find(({ id }) => id === row.id) ?? row
