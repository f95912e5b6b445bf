import { BOX_WIDTH, type PositionedBoxes, RANK_WIDTH, type SizedBox } from './layout.ts'

/** For a link across several ranks: a route between the boxes in between. */
export type FindGaps = (from: { x: number; y: number }, to: { x: number; y: number }) => { x: number; y: number }[]

const MARGIN = 8 // half the gap between two boxes, so that a link in the middle touches neither
const MAX_RANKS = 12 // ranks; longer links are not routed

export const gapsIn = (boxes: readonly SizedBox[], { x, y }: PositionedBoxes): FindGaps => {
  const ranks = new Map<number, { top: number; bottom: number }[]>()
  for (let i = 0; i < boxes.length; i++) {
    const rank = Math.round(x[i]! / RANK_WIDTH)
    const span = { top: y[i]!, bottom: y[i]! + boxes[i]!.height }
    const gap = ranks.get(rank)
    if (gap) gap.push(span)
    else ranks.set(rank, [span])
  }
  for (const spans of ranks.values()) spans.sort((a, b) => a.top - b.top)

  /** The nearest free height in a rank. */
  const free = (rank: number, preferred: number): number => {
    const spans = ranks.get(rank) ?? []
    let [low, high] = [0, spans.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (spans[middle]!.bottom + MARGIN <= preferred) low = middle + 1
      else high = middle
    }
    const at = spans[low]
    if (!at || at.top - MARGIN >= preferred) return preferred
    return preferred - at.top < at.bottom - preferred ? at.top - MARGIN : at.bottom + MARGIN
  }

  return (from, to) => {
    const [first, last] = [Math.round(from.x / RANK_WIDTH) + 1, Math.round(to.x / RANK_WIDTH) - 1]
    if (last < first || last - first >= MAX_RANKS) return []
    const gaps: { x: number; y: number }[] = []
    let moved = false
    for (let rank = first; rank <= last; rank++) {
      const along = (rank * RANK_WIDTH + BOX_WIDTH / 2 - from.x - BOX_WIDTH) / (to.x - from.x - BOX_WIDTH)
      const preferred = from.y + (to.y - from.y) * along * along * (3 - 2 * along) // same easing as the curve
      const y = free(rank, preferred)
      if (y !== preferred) moved = true
      gaps.push({ x: rank * RANK_WIDTH, y })
    }
    return moved ? gaps : []
  }
}
