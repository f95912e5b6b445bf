/**
 * Layout of the boxes: data flows from left to right.
 *
 * A rank is the longest path from a source; sources are placed right before their first reader. Eight sweeps order each rank by its
 * neighbors, then every box moves as close to its neighbors as the boxes above and below allow. Long links get no bends and pass behind
 * other boxes, so 1,000 boxes take a few milliseconds where general layout libraries take a second.
 */
export interface SizedBox {
  readonly id: string
  readonly height: number
  /** Where links attach, from its top; default: the middle. */
  readonly port?: number
}
export interface LayoutLink {
  readonly from: string
  readonly to: string
}
export interface PositionedBoxes {
  /** By index in the given list of boxes. */
  readonly x: Float64Array
  readonly y: Float64Array
  readonly rank: Int32Array
  readonly width: number
  readonly height: number
}

export const BOX_WIDTH = 224
const RANK_GAP = 96 // space for links and for the buttons beside a box
export const RANK_WIDTH = BOX_WIDTH + RANK_GAP
const BOX_GAP = 16
const ORDER_SWEEPS = 8
const ALIGN_PASSES = 6

type Neighbours = readonly (readonly number[])[]

export const layout = (boxes: readonly SizedBox[], arrows: readonly LayoutLink[]): PositionedBoxes => {
  const [into, out] = findNeighbours(boxes, arrows)
  const rank = computeRanks(into, out)
  const ranks = groupByRank(rank)
  const sizes = boxes.map(({ height, port = height / 2 }) => ({ height, port }))
  const middle = new Float64Array(boxes.length) // where links attach
  const preferred = new Float64Array(boxes.length)
  for (const row of ranks) stack(row, sizes, middle)
  for (let sweep = 0; sweep < ORDER_SWEEPS; sweep++) {
    const [order, side] = sweep % 2 === 0 ? [ranks, into] : [ranks.toReversed(), out]
    for (const row of order) {
      for (const box of row) preferred[box] = mean(side[box]!, middle) ?? middle[box]!
      row.sort((a, b) => preferred[a]! - preferred[b]! || a - b)
      stack(row, sizes, middle)
    }
  }
  for (let pull = 0; pull < ALIGN_PASSES; pull++) {
    const [order, near, far] = pull % 2 === 0 ? [ranks, into, out] : [ranks.toReversed(), out, into]
    // The last pass considers both sides, so that a box between two others is placed between them.
    const both = pull === ALIGN_PASSES - 1
    for (const row of order)
      settlePositions(
        row,
        row.map(
          (box) => mean(both ? [...near[box]!, ...far[box]!] : near[box]!.length > 0 ? near[box]! : far[box]!, middle) ?? middle[box]!,
        ),
        sizes,
        middle,
      )
  }
  return placeInOrder(rank, sizes, middle)
}

const findNeighbours = (boxes: readonly SizedBox[], arrows: readonly LayoutLink[]): [into: Neighbours, out: Neighbours] => {
  const indexById = new Map(boxes.map(({ id }, i) => [id, i]))
  const out: number[][] = boxes.map(() => [])
  const into: number[][] = boxes.map(() => [])
  const seen = new Set<number>()
  for (const arrow of arrows) {
    const [from, to] = [indexById.get(arrow.from), indexById.get(arrow.to)]
    if (from === undefined || to === undefined || from === to || seen.has(from * boxes.length + to)) continue
    seen.add(from * boxes.length + to)
    out[from]!.push(to)
    into[to]!.push(from)
  }
  return withoutCycles(into, out)
}

/** Removes links that close a cycle, found by depth-first search. Uses an explicit stack because chains can have thousands of nodes. */
const withoutCycles = (into: Neighbours, out: Neighbours): [into: Neighbours, out: Neighbours] => {
  const NEW = 0
  const OPEN = 1
  const DONE = 2
  const state = new Uint8Array(out.length)
  const forward: number[][] = out.map(() => [])
  const backward: number[][] = out.map(() => [])
  const walk = (start: number) => {
    const path = [start]
    const next = [0]
    state[start] = OPEN
    while (path.length > 0) {
      const at = path.at(-1)!
      const to = out[at]![next[next.length - 1]!++]
      if (to === undefined) {
        state[at] = DONE
        path.pop()
        next.pop()
        continue
      }
      if (state[to] === OPEN) continue
      forward[at]!.push(to)
      backward[to]!.push(at)
      if (state[to] !== NEW) continue
      state[to] = OPEN
      path.push(to)
      next.push(0)
    }
  }
  for (let i = 0; i < out.length; i++) if (into[i]!.length === 0) walk(i)
  for (let i = 0; i < out.length; i++) if (state[i] === NEW) walk(i)
  return [backward, forward]
}

const computeRanks = (into: Neighbours, out: Neighbours): Int32Array => {
  const rank = new Int32Array(out.length)
  const open = Int32Array.from(into, (each) => each.length)
  const ready = [...open.keys()].filter((i) => open[i] === 0)
  for (let i = 0; i < ready.length; i++)
    for (const to of out[ready[i]!]!) {
      rank[to] = Math.max(rank[to]!, rank[ready[i]!]! + 1)
      if (--open[to]! === 0) ready.push(to)
    }
  for (let i = 0; i < rank.length; i++)
    if (into[i]!.length === 0 && out[i]!.length > 0) rank[i] = out[i]!.reduce((least, to) => Math.min(least, rank[to]!), Infinity) - 1
  return rank
}

const groupByRank = (rank: Int32Array): number[][] => {
  const ranks: number[][] = Array.from({ length: rank.reduce((max, each) => Math.max(max, each), -1) + 1 }, () => [])
  for (let i = 0; i < rank.length; i++) ranks[rank[i]!]!.push(i)
  return ranks
}

type Sizes = readonly { readonly height: number; readonly port: number }[]

/** Stacks boxes vertically around zero. */
const stack = (row: readonly number[], sizes: Sizes, middle: Float64Array): void => {
  let y = -row.reduce((sum, box) => sum + sizes[box]!.height + BOX_GAP, -BOX_GAP) / 2
  for (const box of row) {
    middle[box] = y + sizes[box]!.port
    y += sizes[box]!.height + BOX_GAP
  }
}

const mean = (of: readonly number[], middle: Float64Array): number | undefined => {
  if (of.length === 0) return undefined
  let sum = 0
  for (const each of of) sum += middle[each]!
  return sum / of.length
}

/** As close to the wanted positions as order and heights allow: pool adjacent violators, least squares in one pass. */
const settlePositions = (row: readonly number[], preferred: readonly number[], sizes: Sizes, middle: Float64Array): void => {
  const offset = new Float64Array(row.length) // position of each box if the first is at zero and there are no gaps
  for (let i = 1; i < row.length; i++) {
    const [above, below] = [sizes[row[i - 1]!]!, sizes[row[i]!]!]
    offset[i] = offset[i - 1]! + above.height - above.port + BOX_GAP + below.port
  }
  const pools: { sum: number; size: number }[] = []
  for (let i = 0; i < row.length; i++) {
    let pool = { sum: preferred[i]! - offset[i]!, size: 1 }
    while (pools.length > 0 && pools.at(-1)!.sum / pools.at(-1)!.size >= pool.sum / pool.size) {
      const above = pools.pop()!
      pool = { sum: above.sum + pool.sum, size: above.size + pool.size }
    }
    pools.push(pool)
  }
  let i = 0
  for (const { sum, size } of pools) for (const end = i + size; i < end; i++) middle[row[i]!] = sum / size + offset[i]!
}

const placeInOrder = (rank: Int32Array, sizes: Sizes, middle: Float64Array): PositionedBoxes => {
  const y = middle.map((each, i) => each - sizes[i]!.port)
  const top = y.reduce((least, each) => Math.min(least, each), Infinity)
  const bottom = y.reduce((max, each, i) => Math.max(max, each + sizes[i]!.height), -Infinity)
  const last = rank.reduce((max, each) => Math.max(max, each), 0)
  return {
    x: Float64Array.from(rank, (each) => each * RANK_WIDTH),
    y: y.map((each) => Math.round(each - top)),
    rank,
    width: rank.length === 0 ? 0 : last * RANK_WIDTH + BOX_WIDTH,
    height: rank.length === 0 ? 0 : bottom - top,
  }
}
