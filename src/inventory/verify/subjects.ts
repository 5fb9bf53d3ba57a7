const kinds = ['product', 'warehouse', 'order'] as const

/** The ids that the subject of a finding names in words: "product 5 in warehouse 2". */
export const idsIn = (subject: string): Partial<Record<`${(typeof kinds)[number]}_id`, number>> =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const id = new RegExp(`(?<!purchase )\\b${kind} (\\d+)`).exec(subject)?.[1]
      return id ? [[`${kind}_id`, Number(id)]] : []
    }),
  )
