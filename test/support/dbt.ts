import type { TestApp } from './test-app.ts'

/** The artifacts of a small dbt project, with the field names of the public schemas of each version. */
export interface ProjectOptions {
  readonly version?: number
  readonly database?: string
  readonly schema?: string
  readonly adapter?: string
}

type Json = Record<string, unknown>

const COMMON_FIELDS: Json = {
  package_name: 'shop',
  original_file_path: 'models/schema.yml',
  tags: [],
  meta: {},
  columns: {},
  description: '',
}

export const createDbtProject = ({ version = 12, database = 'dev', schema = 'public', adapter = 'postgres' }: ProjectOptions = {}) => {
  const location = { database, schema }
  const table = (kind: string, name: string, more: Json = {}) => ({
    ...COMMON_FIELDS,
    ...location,
    unique_id: `${kind}.shop.${name}`,
    resource_type: kind,
    name,
    alias: name,
    config: { enabled: true, materialized: kind === 'seed' ? 'seed' : 'table', tags: [], meta: {} },
    relation_name: `"${database}"."${schema}"."${name}"`,
    depends_on: { macros: [], nodes: [] },
    ...more,
  })
  const ref = (name: string) => `"${database}"."${schema}"."${name}"`
  const column = (name: string, description = '', more: Json = {}) => ({
    [name]: { name, description, meta: {}, data_type: null, tags: [], ...more },
  })
  const nodes = [
    table('seed', 'raw_customers', { columns: column('id', 'The key.') }),
    table('model', 'stg_orders', {
      config: { materialized: 'ephemeral' },
      depends_on: { nodes: ['source.shop.app.orders'] },
      raw_code: "select * from {{ source('app', 'orders') }}",
      compiled_code: `select * from ${ref('raw_orders')}`,
    }),
    table('model', 'customers', {
      description: 'One row for each customer.',
      tags: ['core'],
      group: 'finance',
      config: { materialized: 'table', tags: ['core'], meta: { tier: 1 } },
      columns: { ...column('customer_id', 'Who it is.', { tags: ['key'] }), ...column('total', 'All they paid.') },
      depends_on: { nodes: ['seed.shop.raw_customers', 'model.shop.stg_orders'] },
      raw_code:
        "with o as (select * from {{ ref('stg_orders') }}) select c.id as customer_id, sum(o.amount) as total from {{ ref('raw_customers') }} c join o on o.customer_id = c.id group by 1",
      compiled_code: `with __dbt__cte__stg_orders as (select * from ${ref('raw_orders')}), o as (select * from __dbt__cte__stg_orders)
select c.id as customer_id, sum(o.amount) as total from ${ref('raw_customers')} c join o on o.customer_id = c.id group by 1`,
    }),
    table('snapshot', 'customers_history', {
      depends_on: { nodes: ['model.shop.customers'] },
      raw_code: "select * from {{ everything_of('customers') }}",
    }),
    {
      ...COMMON_FIELDS,
      ...location,
      unique_id: 'test.shop.not_null_customers_customer_id.1',
      resource_type: 'test',
      name: 'not_null_customers_customer_id',
      config: { severity: 'ERROR' },
      column_name: 'customer_id',
      attached_node: 'model.shop.customers',
      test_metadata: { name: 'not_null', kwargs: { column_name: 'customer_id' } },
      depends_on: { nodes: ['model.shop.customers'] },
    },
  ]
  const source = {
    ...COMMON_FIELDS,
    ...location,
    unique_id: 'source.shop.app.orders',
    resource_type: 'source',
    source_name: 'app',
    name: 'orders',
    identifier: 'raw_orders',
    description: 'What was ordered.',
    columns: column('amount', 'In cents.'),
    loaded_at_field: 'updated_at',
    freshness: { warn_after: { count: 12, period: 'hour' }, error_after: { count: null, period: null } },
    relation_name: ref('raw_orders'),
  }
  const exposure = {
    ...COMMON_FIELDS,
    unique_id: 'exposure.shop.weekly',
    resource_type: 'exposure',
    name: 'weekly',
    label: 'Weekly numbers',
    type: 'dashboard',
    url: 'https://bi.example.com/weekly',
    owner: { name: 'Ada', email: 'ada@example.com' },
    description: 'For the meeting.',
    depends_on: { nodes: ['model.shop.customers'] },
  }
  const metric = {
    ...COMMON_FIELDS,
    unique_id: 'metric.shop.revenue',
    resource_type: 'metric',
    name: 'revenue',
    label: 'Revenue',
    type: 'simple',
    depends_on: { nodes: ['semantic_model.shop.customers'] },
  }
  const semantic = {
    ...COMMON_FIELDS,
    unique_id: 'semantic_model.shop.customers',
    resource_type: 'semantic_model',
    name: 'customers',
    model: "ref('customers')",
    depends_on: { nodes: ['model.shop.customers'] },
  }
  const byId = (all: readonly { unique_id: unknown }[]) => Object.fromEntries(all.map((each) => [String(each.unique_id), each]))
  const metadata = (artifact: string, v: number) => ({
    dbt_schema_version: `https://schemas.getdbt.com/dbt/${artifact}/v${v}.json`,
    dbt_version: '1.9.0',
    generated_at: '2026-01-02T03:04:05.000000Z',
  })
  const manifest = {
    metadata: { ...metadata('manifest', version), project_name: 'shop', adapter_type: adapter },
    nodes: byId(nodes),
    sources: byId([source]),
    exposures: byId([exposure]),
    metrics: byId([metric]),
    semantic_models: byId([semantic]),
    groups: byId([{ unique_id: 'group.shop.finance', name: 'finance', owner: { email: 'Grace@example.com' } } as { unique_id: string }]),
    macros: {},
  }
  const kinds = (columns: readonly [string, string][]) =>
    Object.fromEntries(columns.map(([name, type], i) => [name, { name, type, index: i + 1, comment: null }]))
  const stored = (type: string, name: string) => ({ metadata: { ...location, type, name, owner: 'dbt', comment: null } })
  const stat = (id: string, value: number) => ({ [id]: { id, value, label: id, include: true, description: '' } })
  const catalog = {
    metadata: metadata('catalog', 1),
    nodes: {
      'model.shop.customers': {
        unique_id: 'model.shop.customers',
        ...stored('BASE TABLE', 'customers'),
        columns: kinds([
          ['customer_id', 'integer'],
          ['total', 'numeric'],
        ]),
        stats: { ...stat('rows', 7), ...stat('bytes', 640) },
      },
      'seed.shop.raw_customers': {
        unique_id: 'seed.shop.raw_customers',
        ...stored('BASE TABLE', 'raw_customers'),
        columns: kinds([['id', 'integer']]),
        stats: {},
      },
    },
    sources: {
      'source.shop.app.orders': {
        ...stored('BASE TABLE', 'raw_orders'),
        columns: kinds([
          ['id', 'integer'],
          ['customer_id', 'integer'],
          ['amount', 'integer'],
        ]),
        stats: {},
      },
    },
    errors: null,
  }
  const result = (unique_id: string, status: string, more: Json = {}) => ({
    unique_id,
    status,
    timing: [{ name: 'execute', started_at: '2026-01-02T03:00:00.000000Z', completed_at: '2026-01-02T03:00:01.000000Z' }],
    thread_id: 'Thread-1',
    execution_time: 1,
    adapter_response: {},
    message: null,
    failures: null,
    ...{ compiled: true, compiled_code: null, relation_name: null },
    ...more,
  })
  const run_results = {
    metadata: metadata('run-results', 6),
    results: [
      result('model.shop.customers', 'success', { adapter_response: { rows_affected: 7 } }),
      result('test.shop.not_null_customers_customer_id.1', 'fail', { failures: 2, message: 'Got 2 results, configured to fail if != 0' }),
    ],
    elapsed_time: 2,
    args: {},
  }
  return { manifest, catalog, run_results }
}

/** A multipart form with files, as a pipeline sends it. */
export const toMultipartForm = (files: Readonly<Record<string, unknown>>): { headers: Record<string, string>; body: Buffer } => {
  const boundary = 'artifacts-boundary'
  const parts = Object.entries(files).map(
    ([name, content]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\ncontent-type: application/json\r\n\r\n${
        typeof content === 'string' ? content : JSON.stringify(content)
      }\r\n`,
  )
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
  }
}

export const uploadArtifacts = (app: Pick<TestApp, 'call'>, id: string, files: Readonly<Record<string, unknown>>, token?: string) =>
  app.call('POST', `/integration/dbt/${id}/upload_artifacts/`, { ...toMultipartForm(files), ...(token ? { token } : {}) })
