import { describe, expect, test } from 'vitest'
import { type LayoutLink, layout, type SizedBox } from '../../web/lineage/graph/layout.ts'

/** Layout of the lineage graph. */
const boxes = (ids: string, height = 40): SizedBox[] => [...ids].map((id) => ({ id, height }))
const arrows = (...pairs: string[]): LayoutLink[] => pairs.map(([from, to]) => ({ from: from!, to: to! }))

const ranks = (ids: string, ...pairs: string[]) => {
  const { rank } = layout(boxes(ids), arrows(...pairs))
  return Object.fromEntries([...ids].map((id, i) => [id, rank[i]]))
}

/** No two boxes of a rank touch. */
const areSeparate = (of: readonly SizedBox[], { x, y }: { x: Float64Array; y: Float64Array }): boolean => {
  const columns = Map.groupBy(of.keys(), (i) => x[i]!)
  return [...columns.values()].every((column) => {
    const sorted = column.toSorted((a, b) => y[a]! - y[b]!)
    return sorted.every((box, i) => i === 0 || y[box]! >= y[sorted[i - 1]!]! + of[sorted[i - 1]!]!.height)
  })
}

describe('ranks', () => {
  test('ranks boxes from left to right by the longest path', () => {
    expect(ranks('abcd', 'ab', 'bc', 'ac', 'cd')).toEqual({ a: 0, b: 1, c: 2, d: 3 })
  })

  test('places a source next to its reader', () => {
    expect(ranks('abcz', 'ab', 'bc', 'zc')).toEqual({ a: 0, b: 1, c: 2, z: 1 })
  })

  test('lays out cycles', () => {
    expect(ranks('abc', 'ab', 'bc', 'ca')).toEqual({ a: 0, b: 1, c: 2 })
  })

  test('ignores self-links, duplicate links and links to unknown boxes', () => {
    expect(ranks('ab', 'ab', 'ab', 'aa', 'a?')).toEqual({ a: 0, b: 1 })
  })

  test('handles a chain of thousands of boxes', () => {
    const chain = Array.from({ length: 5000 }, (_, i) => ({ id: String(i), height: 40 }))
    const { rank } = layout(
      chain,
      chain.slice(1).map(({ id }, i) => ({ from: String(i), to: id })),
    )
    expect(rank.at(-1)).toBe(4999)
  })
})

describe('places', () => {
  test('lays out an empty graph', () => {
    expect(layout([], [])).toMatchObject({ width: 0, height: 0 })
  })

  test('avoids unnecessary crossings', () => {
    const { y } = layout(boxes('abxy'), arrows('ay', 'bx'))
    expect(y[0]! < y[1]!).toBe(y[3]! < y[2]!)
  })

  test('aligns a box with its only neighbor and centers one before three', () => {
    const pair = layout(boxes('ab'), arrows('ab')).y
    expect(pair[0]).toBe(pair[1])
    const fan = layout(boxes('axyz'), arrows('ax', 'ay', 'az')).y
    expect(fan[0]).toBe(fan.slice(1).toSorted()[1])
  })

  test('keeps boxes apart from a tall box', () => {
    const of = [...boxes('a'), { id: 'x', height: 400 }, ...boxes('yz')]
    expect(areSeparate(of, layout(of, arrows('ax', 'ay', 'az')))).toBe(true)
  })

  test('lays out 1,000 boxes with hubs and cycles without overlap and deterministically', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647
      return seed % below
    }
    const many = Array.from({ length: 1000 }, (_, i) => ({ id: String(i), height: 40 + random(5) * 24 }))
    const links = Array.from({ length: 1300 }, () => ({
      from: String(random(1000)),
      to: String(random(3) === 0 ? random(10) : random(1000)),
    }))
    const first = layout(many, links)
    expect(areSeparate(many, first)).toBe(true)
    expect(first.y.every((y, i) => y >= 0 && y + many[i]!.height <= first.height + 1)).toBe(true)
    expect(layout(many, links)).toEqual(first)
  })
})
