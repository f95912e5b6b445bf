/** A document among its siblings. Those with a position come first, in its order; the others follow by title. */
interface Positioned {
  readonly id: string
  readonly sort_order?: number | null
}

interface MovePlan {
  /** The position of the moved document. */
  readonly sort_order: number
  /** Others that need another position. Saved one after the other, they keep their order at each step. */
  readonly others: readonly { readonly id: string; readonly sort_order: number }[]
}

const STEP = 1024 // between two positions, so that most moves change only the moved document

/** The positions that put a document at this index of its siblings, which do not include it. */
export const planMove = (siblings: readonly Positioned[], index: number): MovePlan => {
  const before = siblings.slice(0, index)
  const next = siblings[index]?.sort_order
  const others: { id: string; sort_order: number }[] = []
  let last = 0
  for (const { id, sort_order } of before) {
    last = sort_order ?? last + STEP
    if (typeof sort_order !== 'number') others.push({ id, sort_order: last })
  }
  if (typeof next !== 'number') return { sort_order: last + STEP, others }
  if (before.length === 0) return { sort_order: next - STEP, others: [] }
  const middle = Math.floor((last + next) / 2)
  if (middle > last) return { sort_order: middle, others: [] }
  // There is no room: those that follow move on, the last one first.
  const following = siblings.slice(index).flatMap(({ id, sort_order }) => (typeof sort_order === 'number' ? [{ id, sort_order }] : []))
  return { sort_order: last + STEP, others: following.map(({ id, sort_order }) => ({ id, sort_order: sort_order + 2 * STEP })).reverse() }
}
