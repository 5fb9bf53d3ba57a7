/** Which part of a list the operator wants. */
export type ListPage = { search: string | null; limit: number; offset: number }

export type ListResult<Row> = { total: number; rows: readonly Row[] }
