import { describe, expect, test } from 'vitest'
import { dialectNames, findDialect } from '../../src/sql/index.ts'
import { gapsIn } from '../../web/lineage/graph/gaps.ts'
import { layOutScene } from '../../web/lineage/graph/graph-layout.ts'
import { nextBox } from '../../web/lineage/graph/keyboard-navigation.ts'
import { layout } from '../../web/lineage/graph/layout.ts'
import { type GraphResponse, mergeGraphs } from '../../web/lineage/graph/merge.ts'
import type { GraphNode } from '../../web/lineage/graph/queries.ts'
import { buildScene, GROUP_PREFIX, type SceneOptions } from '../../web/lineage/graph/scene.ts'
import { type LineageSearch, parseExpanded, parseLineageSearch, withExpansion } from '../../web/lineage/graph/search-params.ts'
import { traceBox, traceColumn, traceColumnThroughTables } from '../../web/lineage/graph/trace.ts'
import { upstreamPaths } from '../../web/lineage/graph/upstream-paths.ts'
import { DIALECTS } from '../../web/lineage/sql/dialects.ts'
import { condenseChanges } from '../../web/lineage/what-if/condense-changes.ts'

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
  deprecated: false,
  health: 'unknown',
  group: null,
  distance: 0,
  direction: null,
  more_upstream: 0,
  more_downstream: 0,
  ...more,
})
const column = (id: string, table: string) =>
  node(id, { entity_type: 'column', group: { id: table, title: table, title_full: `shop.${table}`, entity_type: 'table' } })

const response = (id: string, nodes: readonly GraphNode[], ...edges: readonly (readonly [string, string])[]): GraphResponse => ({
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
const stated = (of: GraphResponse, edge: Partial<GraphResponse['graph']['edges'][number]>): GraphResponse => ({
  ...of,
  graph: { ...of.graph, edges: of.graph.edges.map((each) => ({ ...each, ...edge })) },
})
const drawn = (of: GraphResponse, more: Partial<SceneOptions> = {}) =>
  buildScene({ merged: mergeGraphs(of, []), start: of.id, level: 'table', columns: new Map(), ...more })

describe('the address', () => {
  test('expands and collapses a box without changing the others', () => {
    const one = withExpansion({ depth: '2' }, 'a', 'u', true)
    const two = withExpansion(one, 'b', 'c', true)
    expect(two).toEqual({ depth: '2', x: 'a.u,b.c' })
    expect(parseExpanded(two)).toEqual([
      { id: 'a', step: 'u' },
      { id: 'b', step: 'c' },
    ])
    expect(withExpansion(withExpansion(two, 'a', 'u', false), 'b', 'c', false)).toEqual({ depth: '2', x: undefined })
  })

  test('ignores invalid values', () => {
    const parsed = parseLineageSearch({ depth: '0', dir: 'sideways', level: 'row', limit: '1e9', x: 'a.z,.u,b', sel: 'a' })
    expect(Object.entries(parsed).filter(([, value]) => value !== undefined)).toEqual([
      ['x', 'a.z,.u,b'],
      ['sel', 'a'],
    ])
    expect(parseExpanded(parsed as LineageSearch)).toEqual([])
  })
})

describe('several responses', () => {
  const first = response('a', [node('a'), node('b', { more_downstream: 3 })], ['a', 'b'])

  test('recomputes hidden neighbor counts when another response contains them', () => {
    const more = response('b', [node('b', { more_upstream: 1 }), node('c'), node('d')], ['b', 'c'], ['b', 'd'])
    const { nodes, edges } = mergeGraphs(first, [more])
    expect([...nodes.keys()]).toEqual(['a', 'b', 'c', 'd'])
    expect(nodes.get('b')).toMatchObject({ more_downstream: 1, more_upstream: 0 })
    expect(edges).toHaveLength(3)
  })

  test('ignores expansions of boxes that are no longer shown, in any order', () => {
    const c = response('c', [node('c'), node('e')], ['c', 'e'])
    const b = response('b', [node('b'), node('c')], ['b', 'c'])
    expect([...mergeGraphs(first, [c, b]).nodes.keys()]).toEqual(['a', 'b', 'c', 'e'])
    expect([...mergeGraphs(first, [c]).nodes.keys()]).toEqual(['a', 'b'])
  })

  test('keeps hidden nodes of different responses apart', () => {
    const hidden = () => node('hidden-1', { hidden: true, title: null, title_full: null, entity_type: null })
    const one = response('a', [node('a'), node('b'), hidden(), node('x')], ['a', 'b'], ['a', 'hidden-1'], ['hidden-1', 'x'])
    const two = response('b', [node('b'), hidden(), node('y')], ['b', 'hidden-1'], ['hidden-1', 'y'])
    expect(mergeGraphs(one, [two]).nodes.size).toBe(6)
  })
})

describe('the scene', () => {
  const columns = response(
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
    const opened = (all: boolean) => drawn(response('a', [node('a')]), { columns: new Map([['a', { rows, all }]]) }).boxes[0]!
    expect(opened(false)).toMatchObject({ more_rows: 20 })
    expect(opened(true)).toMatchObject({ more_rows: 0 })
    expect(opened(true).height).toBeGreaterThan(opened(false).height)
  })

  test('groups a schema into one box, except single boxes, the start and the selection', () => {
    const of = response(
      'a',
      [node('a'), ...['b', 'c', 'd'].map((id) => node(id, { title_full: `marts.${id}` })), node('z', { title_full: 'raw.z' })],
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'z'],
      ['a', 'd'],
    )
    const ids = (open: string[], keep?: string) => drawn(of, { folded: { open: new Set(open), keep } }).boxes.map(({ id }) => id)
    expect(ids([])).toEqual(['a', 'z', `${GROUP_PREFIX}marts`])
    expect(ids([], 'd')).toEqual(['a', 'd', 'z', `${GROUP_PREFIX}marts`])
    expect(ids(['marts'])).toEqual(['a', 'b', 'c', 'd', 'z'])
    const { links } = drawn(of, { folded: { open: new Set(), keep: undefined } })
    expect(links.map(({ id, queries }) => [id, queries])).toEqual([
      [`a~${GROUP_PREFIX}marts`, 2],
      [`${GROUP_PREFIX}marts~z`, 1],
    ])
  })

  test('traces a box upstream and downstream, but not to siblings', () => {
    const scene = drawn(
      response(
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
    const lit = traceColumn(drawn(columns, { level: 'column' }), 'a1')
    expect([...lit.links]).toEqual(['a1~b2'])
    expect(lit.rows.get('b')).toEqual([{ id: 'b2', title: 'b2' }])
  })

  test('reports the tables of a traced path that are not shown', () => {
    const scene = drawn(response('a', [node('a'), node('b')], ['a', 'b']))
    const lit = traceColumnThroughTables(
      scene,
      response('a1', [column('a1', 'a'), column('b1', 'b'), column('c1', 'c')], ['a1', 'b1'], ['b1', 'c1']).graph,
    )
    expect(lit).toMatchObject({ missing: ['c'], segments: [{ from: 'a', to: 'b', from_row: 'a1', to_row: 'b1' }] })
    expect([...lit.links]).toEqual(['a~b'])
  })

  test('arrow keys move along links and within a rank', () => {
    const drawing = layOutScene(
      drawn(
        response(
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
  const of = response('a', [node('a'), node('b')], ['a', 'b'])
  for (const [is_manual, is_derived, only_manual] of [
    [true, false, true],
    [true, true, false],
    [false, true, false],
  ] as const) {
    expect(drawn(stated(of, { is_manual, is_derived })).links).toMatchObject([{ manual: is_manual, only_manual }])
  }
})

test('counts the columns of a dropped table instead of listing them', () => {
  const DROPPED = { detail: 'would be dropped', detail_translatable: { template: 'would be dropped', values: {} } }
  const change = (title_full: string, change: 'table_dropped' | 'column_dropped') =>
    ({ ...DROPPED, id: title_full, title_full, entity_type: 'table', change }) as const
  const changes = [
    change('shop.orders', 'table_dropped'),
    change('shop.orders.id', 'column_dropped'),
    change('shop.orders.total', 'column_dropped'),
    change('shop.orders_old.id', 'column_dropped'),
  ]
  expect(condenseChanges(changes).map(({ title_full, columns }) => [title_full, columns])).toEqual([
    ['shop.orders', 2],
    ['shop.orders_old.id', 0],
  ])
})

test('finds the shortest path from each upstream resource to the start', () => {
  const { graph } = response(
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
