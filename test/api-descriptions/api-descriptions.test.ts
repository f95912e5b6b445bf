import { expect, test } from 'vitest'
import { checkAgainst } from './api-description.ts'
import { parseRison } from './rison.ts'

/** What connectors ask for is checked against the descriptions, too: an unknown parameter or one of another type is a fault. */
const ask = (vendor: string, path: string, query: Readonly<Record<string, string>>, body: unknown = []) =>
  getCheck(vendor)({ method: 'GET', path, status: 200, body, query, request: {}, requestHeaders: {} })

const checks = new Map<string, ReturnType<typeof checkAgainst>>()
const getCheck = (vendor: string) => {
  const check = checks.get(vendor) ?? checkAgainst(vendor)
  checks.set(vendor, check)
  return check
}

test('parameters that the API does not have, or of another type, are found', () => {
  const items = '/api/collection/root/items'
  const found = { data: [], total: 0, limit: 500, offset: 0, models: [] }
  const page = { page: '1', page_size: '100', order: 'created_at' }
  const fields = (path: string, fields: string) => ask('looker', `/api/4.0${path}`, { fields })
  const q = (path: string, q: string) => ask('superset', `/api/v1/${path}`, { q }, { count: 0, result: [] })
  for (const [problem, expected] of [
    [ask('metabase', items, { limit: '500', offset: '0' }, found), undefined],
    [ask('metabase', items, { limit: 'all', offset: '0' }, found), '/limit must match pattern'],
    [ask('metabase', items, { page: '1' }, found), 'must NOT have additional properties (page)'],
    [ask('metabase', '/api/card/1', { details: 'true' }), 'must NOT have more than 0 properties'],
    [ask('redash', '/api/dashboards', page, { count: 0, page: 1, page_size: 100, results: [] }), undefined],
    [ask('redash', '/api/queries', { ...page, page_size: '251' }), '/page_size must match pattern'],
    [ask('redash', '/api/queries', { ...page, page: '0' }), '/page must match pattern'],
    [ask('redash', '/api/queries', { ...page, order: 'id' }), '/order must match pattern'],
    [ask('redash', '/api/queries', { ...page, limit: '5' }), 'must NOT have additional properties (limit)'],
    [fields('/dashboards', 'id,folder(id,name)'), undefined],
    [fields('/dashboards', 'id,updated_at,folder(id,colour)'), '/fields names unknown fields: updated_at, folder.colour'],
    [fields('/looks/1', 'id,query(id,modell)'), '/fields names unknown fields: query.modell'],
    [fields('/looks/1', 'id,query(id'), '/fields is no list of fields'],
    [ask('looker', '/api/4.0/looks', { field: 'id' }), 'must NOT have additional properties (field)'],
    [q('chart/related/owners', '(page:0,page_size:100)'), undefined],
    [q('chart/', '(page:first,page_size:100)'), '/q has a value/page must be integer'],
    [q('chart/', '(page:0,order_column:slice_name,order_direction:up)'), '/q has a value/order_direction must be equal to one of'],
    [q('chart/', '(page:0,size:100)'), '/q has a value must NOT have additional properties'],
    [q('chart/', '(page:0,page_size:100'), '/q is not Rison at character'],
    [ask('superset', '/api/v1/dataset/1', { include_rendered_sql: '1' }), '/include_rendered_sql must be equal to one of'],
    [ask('grafana', '/api/search', { type: 'dash-db', limit: '1000', page: '1' }), undefined],
    [ask('grafana', '/api/search', { type: 'dashboard' }), '/type must be equal to one of'],
    [ask('grafana', '/api/search', { limit: '5001' }), '/limit must match pattern'],
    [ask('dbt-cloud', '/api/v2/accounts/7/runs/1/artifacts/run_results.json', { step: '0' }), '/step must match pattern'],
  ] as const)
    if (expected === undefined) expect(problem).toBeUndefined()
    else expect(problem).toContain(expected)
})

test('Rison is read as Superset reads it', () => {
  expect(parseRison("(page:0,columns:!(id,'slice name'),on:!t,off:!f,none:!n,text:'it!'s',deep:(a:!()))")).toEqual({
    ...{ page: 0, columns: ['id', 'slice name'], on: true, off: false, none: null, text: "it's", deep: { a: [] } },
  })
  for (const wrong of ['', '(', '(page)', '(page:)', '!x', '(a:1)b', "'a"]) expect(() => parseRison(wrong)).toThrow('is not Rison')
})
