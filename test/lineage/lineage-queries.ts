import { expect } from 'vitest'
import type { CallOptions, TestApp } from '../support/test-app.ts'

export const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
export const SHOP = {
  'shop.public.orders': ['id', 'day', 'price'],
  'shop.public.daily': ['day', 'total'],
  'shop.public.weekly': ['week', 'total'],
}
export const DAILY = 'insert into daily (day, total) select day, sum(price) from orders where id > 5 group by day'
export const WEEKLY = 'insert into weekly (week, total) select upper(day), total from daily'

export type Query = Record<string, string | number | boolean>
export const getLineage = (app: TestApp, path: string, query: Query, options?: CallOptions) =>
  app.call(
    'GET',
    `/lineage/${path}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`,
    options,
  )

export const deriveLineage = async (app: TestApp, ...queries: string[]) => {
  for (const query of queries) expect((await app.call('POST', '/lineage/lineage_from_query', { body: { sql: query } })).status).toBe(200)
}

/** Adds manual edges `a > b`, by title. */
export const addEdges = async (app: TestApp, ids: ReadonlyMap<string, string>, ...pairs: string[]) => {
  for (const pair of pairs) {
    const [from_entity, to_entity] = pair.split(' > ').map((name) => ids.get(name))
    const { status } = await app.call('POST', '/lineage/manual', { body: { from_entity, to_entity, direction: 'DOWNSTREAM' } })
    expect(status).toBe(201)
  }
}

/** Creates tables without columns; returns their IDs by title. */
export const createTables = async (app: TestApp, titles: string, more: Record<string, unknown> = {}): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  for (const title of titles.split(' '))
    ids.set(title, (await app.createResource({ title, entity_type: 'table', published: true, ...more })).id)
  return ids
}

export interface GraphNodeBody {
  id: string
  title: string | null
  distance: number
  hidden: boolean
  direction: string | null
  more_upstream: number
  more_downstream: number
}
export const nodeTitles = (nodes: GraphNodeBody[]) => nodes.map(({ title, id }) => title ?? id).sort()
export const arrows = ({ nodes, edges }: { nodes: GraphNodeBody[]; edges: { from: string; to: string; indirect?: boolean }[] }) => {
  const name = new Map(nodes.map(({ id, title }) => [id, title ?? id]))
  return edges.map(({ from, to, indirect }) => `${name.get(from)} ${indirect ? '..>' : '>'} ${name.get(to)}`).sort()
}
export const findNode = (body: { nodes: GraphNodeBody[] }, title: string) => body.nodes.find((each) => each.title === title)!
