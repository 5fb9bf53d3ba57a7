type Kin = { id: string; parent_id: string | null }

/** The keys that were made with a key, and with those. */
export const descendantsOf = <K extends Kin>(id: string, keys: readonly K[]): K[] =>
  keys.filter(({ parent_id }) => parent_id === id).flatMap((key) => [key, ...descendantsOf(key.id, keys)])
