import { newId } from '../../src/platform/core/id.ts'
import type { CallOptions, TestResponse } from './test-app.ts'

/** A test app, or another instance on its database. */
interface Callable {
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>
}

export const CSV = { 'content-type': 'text/csv' }
export const JSONL = { 'content-type': 'application/x-ndjson' }

/** Imports a file through the API. Objects are sent as JSONL. */
export const importLines = (
  app: Callable,
  lines: string | Buffer | readonly object[],
  {
    integration = newId(),
    query = '',
    token,
    headers,
  }: { integration?: string; query?: string; token?: string; headers?: Record<string, string> } = {},
): Promise<TestResponse> => {
  const csv = headers?.['content-type'] === 'text/csv'
  const body = typeof lines === 'string' || Buffer.isBuffer(lines) ? lines : jsonl(lines)
  return app.call('POST', `/integration/integrations/${integration}/${csv ? 'import_metadata' : 'import_jsonl_metadata'}/${query}`, {
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
export const exportLines = async (app: Callable, query = ''): Promise<any[]> => {
  const { text } = await app.call('GET', `/resource/export?format=jsonl${query}`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
