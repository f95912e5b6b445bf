import { newId } from '../src/id.ts'
import type { Answer, CallOptions } from './house.ts'

/** A test app, or another instance on its database. */
interface Callable {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
}

export const CSV = { 'content-type': 'text/csv' }
export const JSONL = { 'content-type': 'application/x-ndjson' }

/** Imports a file through the API. Objects are sent as JSONL. */
export const send = (
  house: Callable,
  lines: string | Buffer | readonly object[],
  {
    integration = newId(),
    query = '',
    token,
    headers,
  }: { integration?: string; query?: string; token?: string; headers?: Record<string, string> } = {},
): Promise<Answer> => {
  const csv = headers?.['content-type'] === 'text/csv'
  const body = typeof lines === 'string' || Buffer.isBuffer(lines) ? lines : jsonl(lines)
  return house.call('POST', `/integration/integrations/${integration}/${csv ? 'import_metadata' : 'import_jsonl_metadata'}/${query}`, {
    headers: headers ?? JSONL,
    body,
    ...(token ? { token } : {}),
  })
}

export const jsonl = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** A shop, with children before their parents on purpose. */
export const SHOP = [
  {
    databuilder_id: 'shop.public.orders.id',
    parent_databuilder_id: 'shop.public.orders',
    entity_type: 'column',
    title: 'id',
    native_type: 'bigint',
  },
  {
    databuilder_id: 'shop.public.orders',
    parent_databuilder_id: 'shop.public',
    entity_type: 'table',
    title: 'orders',
    description: 'One row each.',
  },
  { databuilder_id: 'shop.public.items', parent_databuilder_id: 'shop.public', entity_type: 'table', title: 'items', row_count: 7 },
  { databuilder_id: 'shop.public', parent_databuilder_id: 'shop', entity_type: 'schema', title: 'public' },
  { databuilder_id: 'shop', entity_type: 'database', title: 'shop' },
  { from_identifier: 'shop.public.orders', to_identifier: 'shop.public.items' },
]

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
export const exported = async (house: Callable, query = ''): Promise<any[]> => {
  const { text } = await house.call('GET', `/resource/export?format=jsonl${query}`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
