import { expect } from 'vitest'
import type { CallOptions, House } from './house.ts'

export const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
export const SHOP = {
  'shop.public.orders': ['id', 'day', 'price'],
  'shop.public.daily': ['day', 'total'],
  'shop.public.weekly': ['week', 'total'],
}
export const DAILY = 'insert into daily (day, total) select day, sum(price) from orders where id > 5 group by day'
export const WEEKLY = 'insert into weekly (week, total) select upper(day), total from daily'

export type Query = Record<string, string | number | boolean>
export const ask = (house: House, path: string, query: Query, options?: CallOptions) =>
  house.call(
    'GET',
    `/lineage/${path}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`,
    options,
  )

export const derive = async (house: House, ...queries: string[]) => {
  for (const query of queries) expect((await house.call('POST', '/lineage/lineage_from_query', { body: { sql: query } })).status).toBe(200)
}

/** Adds manual edges `a > b`, by title. */
export const flow = async (house: House, ids: ReadonlyMap<string, string>, ...pairs: string[]) => {
  for (const pair of pairs) {
    const [from_entity, to_entity] = pair.split(' > ').map((name) => ids.get(name))
    const { status } = await house.call('POST', '/lineage/manual', { body: { from_entity, to_entity, direction: 'DOWNSTREAM' } })
    expect(status).toBe(201)
  }
}

/** Creates tables without columns; returns their IDs by title. */
export const things = async (house: House, titles: string, more: Record<string, unknown> = {}): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  for (const title of titles.split(' '))
    ids.set(title, (await house.resource({ title, entity_type: 'table', published: true, ...more })).id)
  return ids
}

export interface Shown {
  id: string
  title: string | null
  distance: number
  hidden: boolean
  direction: string | null
  more_upstream: number
  more_downstream: number
}
export const titles = (nodes: Shown[]) => nodes.map(({ title, id }) => title ?? id).sort()
export const arrows = ({ nodes, edges }: { nodes: Shown[]; edges: { from: string; to: string; indirect?: boolean }[] }) => {
  const name = new Map(nodes.map(({ id, title }) => [id, title ?? id]))
  return edges.map(({ from, to, indirect }) => `${name.get(from)} ${indirect ? '..>' : '>'} ${name.get(to)}`).sort()
}
export const node = (body: { nodes: Shown[] }, title: string) => body.nodes.find((each) => each.title === title)!
