type Node = { id: number; name: string; parent_id: number | null }

export type Placed<C extends Node> = C & {
  depth: number
  /** The names from the top to here: "Kitchen / Mugs". */
  path: string
}

const byName = (a: Node, b: Node) => a.name.localeCompare(b.name)

/** The categories as one reads a tree: each followed by what is inside it, by name. */
export const treeOf = <C extends Node>(categories: readonly C[]): Placed<C>[] => {
  const known = new Set(categories.map(({ id }) => id))
  const inside = (parent: number | null, depth: number, above: string): Placed<C>[] =>
    categories
      .filter(({ parent_id }) => (parent_id !== null && known.has(parent_id) ? parent_id : null) === parent)
      .sort(byName)
      .flatMap((category) => {
        const path = above + category.name
        return [{ ...category, depth, path }, ...inside(category.id, depth + 1, `${path} / `)]
      })
  return inside(null, 0, '')
}

/** Where a category can be moved: not into itself, nor into what is inside it. */
export const parentsFor = <C extends Node>(tree: readonly Placed<C>[], id: number | undefined) => {
  const at = tree.findIndex((one) => one.id === id)
  const moved = tree[at]
  if (!moved) return [...tree]
  const next = tree.findIndex(({ depth }, n) => n > at && depth <= moved.depth)
  return [...tree.slice(0, at), ...(next < 0 ? [] : tree.slice(next))]
}
