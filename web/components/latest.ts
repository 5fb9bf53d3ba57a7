/**
 * A row as its list has it by now, for a dialog that was opened with it: what somebody else saves meanwhile is shown, and is
 * not overwritten with what was there before. A row that is no longer listed stays as it was.
 */
export const latest = <Row extends { id: number | string }>(row: Row, rows: Row[] = []): Row =>
  rows.find(({ id }) => id === row.id) ?? row
