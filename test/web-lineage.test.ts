import { describe, expect, test } from 'vitest'
import { dialectNames, findDialect } from '../src/sql/index.ts'
import { type LineageAddress, lineageAddress, openedIn, withStep } from '../web/lineage/address.ts'
import { DIALECTS } from '../web/lineage/dialects.ts'
import { drawingOf } from '../web/lineage/drawing.ts'
import { listedChanges } from '../web/lineage/dropped.ts'
import { gapsIn } from '../web/lineage/gaps.ts'
import { layout } from '../web/lineage/layout.ts'
import { type Answered, merge } from '../web/lineage/merge.ts'
import type { GraphNode } from '../web/lineage/queries.ts'
import { FOLD, type SceneAsk, sceneOf } from '../web/lineage/scene.ts'
import { traceBox, traceRow, traceThrough } from '../web/lineage/trace.ts'
import { upstreamPaths } from '../web/lineage/upstream-paths.ts'
import { nextBox } from '../web/lineage/walk.ts'

/** Logic of the lineage page that needs no browser. */
test('offers exactly the dialects the server parses', () => {
  const own = new Set(dialectNames.map((name) => findDialect(name)!.name))
  expect(Object.keys(DIALECTS).sort()).toEqual([...own].sort())
})

const node = (id: string, more: Partial<GraphNode> = {}): GraphNode => ({
  id,
  hidden: false,
  title: id,
  title_full: `shop.${id}`,
  entity_type: 'table',
  native_type: null,
  icon: null,
  integration: null,
  integration_type: null,
  published: true,
  archived: false,
  verified: false,
  pii: false,
  stale: false,
  group: null,
  distance: 0,
  direction: null,
  more_upstream: 0,
  more_downstream: 0,
  ...more,
})
const column = (id: string, table: string) =>
  node(id, { entity_type: 'column', group: { id: table, title: table, title_full: `shop.${table}`, entity_type: 'table' } })

const answer = (id: string, nodes: readonly GraphNode[], ...edges: readonly (readonly [string, string])[]): Answered => ({
  id,
  graph: {
    resource_id: id,
    direction: 'BOTH',
    depth: 1,
    level: 'table',
    nodes: [...nodes],
    edges: edges.map(([from, to]) => ({ from, to, is_manual: false, is_derived: true, kinds: [], queries: 1, indirect: false })),
    truncated: false,
    totals: { nodes: nodes.length, edges: edges.length, hidden: nodes.filter(({ hidden }) => hidden).length, more: 0 },
  },
})
const stated = (of: Answered, edge: Partial<Answered['graph']['edges'][number]>): Answered => ({
  ...of,
  graph: { ...of.graph, edges: of.graph.edges.map((each) => ({ ...each, ...edge })) },
})
const drawn = (of: Answered, more: Partial<SceneAsk> = {}) =>
  sceneOf({ merged: merge(of, []), start: of.id, level: 'table', columns: new Map(), ...more })

describe('the address', () => {
  test('expands and collapses a box without changing the others', () => {
    const one = withStep({ depth: '2' }, 'a', 'u', true)
    const two = withStep(one, 'b', 'c', true)
    expect(two).toEqual({ depth: '2', x: 'a.u,b.c' })
    expect(openedIn(two)).toEqual([
      { id: 'a', step: 'u' },
      { id: 'b', step: 'c' },
    ])
    expect(withStep(withStep(two, 'a', 'u', false), 'b', 'c', false)).toEqual({ depth: '2', x: undefined })
  })

  test('ignores invalid values', () => {
    const said = lineageAddress({ depth: '0', dir: 'sideways', level: 'row', limit: '1e9', x: 'a.z,.u,b', sel: 'a' })
    expect(Object.entries(said).filter(([, value]) => value !== undefined)).toEqual([
      ['x', 'a.z,.u,b'],
      ['sel', 'a'],
    ])
    expect(openedIn(said as LineageAddress)).toEqual([])
  })
})

describe('several answers', () => {
  const first = answer('a', [node('a'), node('b', { more_downstream: 3 })], ['a', 'b'])

  test('recomputes hidden neighbor counts when another response contains them', () => {
    const more = answer('b', [node('b', { more_upstream: 1 }), node('c'), node('d')], ['b', 'c'], ['b', 'd'])
    const { nodes, edges } = merge(first, [more])
    expect([...nodes.keys()]).toEqual(['a', 'b', 'c', 'd'])
    expect(nodes.get('b')).toMatchObject({ more_downstream: 1, more_upstream: 0 })
    expect(edges).toHaveLength(3)
  })

  test('ignores expansions of boxes that are no longer shown, in any order', () => {
    const c = answer('c', [node('c'), node('e')], ['c', 'e'])
    const b = answer('b', [node('b'), node('c')], ['b', 'c'])
    expect([...merge(first, [c, b]).nodes.keys()]).toEqual(['a', 'b', 'c', 'e'])
    expect([...merge(first, [c]).nodes.keys()]).toEqual(['a', 'b'])
  })

  test('keeps hidden nodes of different responses apart', () => {
    const hidden = () => node('hidden-1', { hidden: true, title: null, title_full: null, entity_type: null })
    const one = answer('a', [node('a'), node('b'), hidden(), node('x')], ['a', 'b'], ['a', 'hidden-1'], ['hidden-1', 'x'])
    const two = answer('b', [node('b'), hidden(), node('y')], ['b', 'hidden-1'], ['hidden-1', 'y'])
    expect(merge(one, [two]).nodes.size).toBe(6)
  })
})

describe('the scene', () => {
  const columns = answer(
    'a',
    [column('a1', 'a'), column('a2', 'a'), node('a'), column('b1', 'b'), column('b2', 'b'), column('b3', 'b')],
    ['a1', 'b2'],
    ['a2', 'b1'],
  )

  test('lists linked columns in their tables, ordered by what they link to', () => {
    const { boxes, links } = drawn(columns, { level: 'column' })
    expect(boxes.map(({ id, rows }) => [id, rows.map((row) => row.id)])).toEqual([
      ['a', ['a1', 'a2']],
      ['b', ['b2', 'b1']],
    ])
    expect(links[0]).toMatchObject({ from: 'a', to: 'b', from_row: 'a1', to_row: 'b2' })
  })

  test('shows some columns of a long table, and all on request', () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({ id: `c${i}`, title: `c${i}` }))
    const opened = (all: boolean) => drawn(answer('a', [node('a')]), { columns: new Map([['a', { rows, all }]]) }).boxes[0]!
    expect(opened(false)).toMatchObject({ more_rows: 20 })
    expect(opened(true)).toMatchObject({ more_rows: 0 })
    expect(opened(true).height).toBeGreaterThan(opened(false).height)
  })

  test('groups a schema into one box, except single boxes, the start and the selection', () => {
    const of = answer(
      'a',
      [node('a'), ...['b', 'c', 'd'].map((id) => node(id, { title_full: `marts.${id}` })), node('z', { title_full: 'raw.z' })],
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'z'],
      ['a', 'd'],
    )
    const ids = (open: string[], keep?: string) => drawn(of, { folded: { open: new Set(open), keep } }).boxes.map(({ id }) => id)
    expect(ids([])).toEqual(['a', 'z', `${FOLD}marts`])
    expect(ids([], 'd')).toEqual(['a', 'd', 'z', `${FOLD}marts`])
    expect(ids(['marts'])).toEqual(['a', 'b', 'c', 'd', 'z'])
    const { links } = drawn(of, { folded: { open: new Set(), keep: undefined } })
    expect(links.map(({ id, queries }) => [id, queries])).toEqual([
      [`a~${FOLD}marts`, 2],
      [`${FOLD}marts~z`, 1],
    ])
  })

  test('traces a box upstream and downstream, but not to siblings', () => {
    const scene = drawn(
      answer(
        'b',
        ['a', 'b', 'c', 'x'].map((id) => node(id)),
        ['a', 'b'],
        ['b', 'c'],
        ['a', 'x'],
      ),
    )
    expect([...traceBox(scene, 'b').boxes].sort()).toEqual(['a', 'b', 'c'])
    expect([...traceBox(scene, 'x').boxes].sort()).toEqual(['a', 'x'])
  })

  test('traces a column along column links', () => {
    const lit = traceRow(drawn(columns, { level: 'column' }), 'a1')
    expect([...lit.links]).toEqual(['a1~b2'])
    expect(lit.rows.get('b')).toEqual([{ id: 'b2', title: 'b2' }])
  })

  test('reports the tables of a traced path that are not shown', () => {
    const scene = drawn(answer('a', [node('a'), node('b')], ['a', 'b']))
    const lit = traceThrough(
      scene,
      answer('a1', [column('a1', 'a'), column('b1', 'b'), column('c1', 'c')], ['a1', 'b1'], ['b1', 'c1']).graph,
    )
    expect(lit).toMatchObject({ missing: ['c'], ways: [{ from: 'a', to: 'b', from_row: 'a1', to_row: 'b1' }] })
    expect([...lit.links]).toEqual(['a~b'])
  })

  test('arrow keys move along links and within a rank', () => {
    const drawing = drawingOf(
      drawn(
        answer(
          'a',
          ['a', 'b', 'c'].map((id) => node(id)),
          ['a', 'b'],
          ['a', 'c'],
        ),
      ),
    )
    expect(nextBox(drawing, 'a', 'ArrowLeft')).toBeUndefined()
    const right = nextBox(drawing, 'a', 'ArrowRight')!
    expect(nextBox(drawing, right, 'ArrowLeft')).toBe('a')
    const other = nextBox(drawing, right, 'ArrowDown') ?? nextBox(drawing, right, 'ArrowUp')
    expect([right, other].sort()).toEqual(['b', 'c'])
  })

  test('routes a long link between boxes', () => {
    const boxes = ['a', 'b', 'c'].map((id) => ({ id, height: 46 }))
    const placed = layout(boxes, [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'a', to: 'c' },
    ])
    const at = (i: number) => ({ x: placed.x[i]!, y: placed.y[i]! + 23 })
    const [gap] = gapsIn(boxes, placed)(at(0), at(2))
    expect(gap!.y < placed.y[1]! || gap!.y > placed.y[1]! + 46).toBe(true)
    expect(gapsIn(boxes, placed)(at(0), at(1))).toEqual([])
  })
})

test('draws a link dashed only if it was added manually and no query confirms it', () => {
  const of = answer('a', [node('a'), node('b')], ['a', 'b'])
  for (const [is_manual, is_derived, only_manual] of [
    [true, false, true],
    [true, true, false],
    [false, true, false],
  ] as const) {
    expect(drawn(stated(of, { is_manual, is_derived })).links).toMatchObject([{ manual: is_manual, only_manual }])
  }
})

test('counts the columns of a dropped table instead of listing them', () => {
  const change = (title_full: string, change: 'table_dropped' | 'column_dropped') =>
    ({ id: title_full, title_full, entity_type: 'table', change, detail: 'would be dropped' }) as const
  const changes = [
    change('shop.orders', 'table_dropped'),
    change('shop.orders.id', 'column_dropped'),
    change('shop.orders.total', 'column_dropped'),
    change('shop.orders_old.id', 'column_dropped'),
  ]
  expect(listedChanges(changes).map(({ title_full, columns }) => [title_full, columns])).toEqual([
    ['shop.orders', 2],
    ['shop.orders_old.id', 0],
  ])
})

test('finds the shortest path from each upstream resource to the start', () => {
  const { graph } = answer(
    'end',
    [node('end'), node('mid'), node('far'), node('else')],
    ['mid', 'end'],
    ['far', 'mid'],
    ['far', 'end'],
    ['else', 'far'],
  )
  const titles = [...upstreamPaths(graph)].map(([id, path]) => [id, path.map(({ title }) => title).join(' → ')])
  expect(Object.fromEntries(titles)).toEqual({ end: 'end', mid: 'mid → end', far: 'far → end', else: 'else → far → end' })
})
