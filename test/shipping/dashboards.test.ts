import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runPromtool, skipWithoutPromtool } from '../servers/promtool.ts'
import { createTestApp } from '../support/test-app.ts'
import { findMetricsOf, listMetricNames } from './metric-names.ts'

const ALERTS = 'packaging/prometheus/alerts.yaml'
const read = (file: string): string => readFileSync(file, 'utf8')

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly datasource?: object
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly datasource: object }[]
}
const dashboard = JSON.parse(read('packaging/grafana/tablinum.json')) as {
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string; readonly definition?: string }[] }
}
const rules = (parse(read(ALERTS)) as { groups: { rules: { alert: string; expr: string }[] }[] }).groups.flatMap((group) => group.rules)
const expressions = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ...dashboard.templating.list.flatMap(({ name, definition }) => (definition ? [[name, toExpression(definition)] as const] : [])),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
]

/** `label_values(metric, label)` is a function of Grafana. */
function toExpression(definition: string): string {
  return /^label_values\((.*), \w+\)$/.exec(definition)![1]!
}

test('every metric of the dashboard and the alerts exists', async () => {
  await using app = await createTestApp()
  await using instance = await app.createInstance({ config: { replicaUrls: ['postgres://127.0.0.1:1/away'] } })
  const known = listMetricNames((await instance.call('GET', 'metrics')).text).add('up') // made by Prometheus
  const used = expressions.flatMap(([where, expr]) => findMetricsOf(expr).map((metric) => ({ where, metric })))
  expect(used.length).toBeGreaterThan(50)
  expect(used.filter(({ metric }) => !known.has(metric))).toEqual([])
})

test('the names of metrics are found in expressions', () => {
  expect(findMetricsOf('sum by (le, a) (rate(x_bucket{job="b",c=~"d.*"}[5m])) / on (e) max(y) > 0.5 or vector(0)')).toEqual([
    'x_bucket',
    'y',
  ])
  expect(findMetricsOf('time() - max by (job) (z_seconds) > 3 * 3600')).toEqual(['z_seconds'])
})

test('every metric of Tablinum is documented', async () => {
  await using app = await createTestApp()
  await using instance = await app.createInstance({
    config: { replicaUrls: ['postgres://127.0.0.1:1/away'], tracing: { exported: 0, failed: 0 } },
  })
  const docs = read('docs/operations.md')
  const { text } = await instance.call('GET', 'metrics')
  const ours = [...text.matchAll(/^# TYPE (tablinum_\S+)/gm)].map(([, name]) => name!)
  expect(ours.length).toBeGreaterThan(25)
  expect(ours.filter((name) => !docs.includes(`\`${name}\``))).toEqual([])
})

test('the dashboard has the shape that Grafana imports', () => {
  const { panels, templating } = dashboard
  expect(dashboard).toMatchObject({ uid: 'tablinum', title: 'Tablinum', schemaVersion: expect.any(Number) })
  expect(templating.list.map(({ name, type }) => [name, type])).toEqual([
    ['datasource', 'datasource'],
    ['job', 'query'],
    ['instance', 'query'],
  ])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const source = { type: 'prometheus', uid: '$'.concat('{datasource}') } // a variable of Grafana
  for (const { type, title, datasource, gridPos, targets = [] } of panels) {
    expect([title, type]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/^(row|stat|timeseries)$/)])
    expect([title, gridPos.x >= 0 && gridPos.x + gridPos.w <= 24]).toEqual([title, true])
    if (type === 'row') continue
    expect([title, datasource, targets.length > 0]).toEqual([title, source, true])
    expect(targets.map((each) => each.datasource)).toEqual(targets.map(() => source))
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
  }
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length) // panels do not overlap
})

test('every alert is described in the documentation', () => {
  const docs = read('docs/operations.md')
  expect(rules.filter(({ alert }) => !docs.includes(`\`${alert}\``)).map(({ alert }) => alert)).toEqual([])
})

test.skipIf(skipWithoutPromtool)('Prometheus accepts the alerts, and they fire when they should', async () => {
  expect(await runPromtool('check', 'rules', ALERTS)).toContain(`SUCCESS: ${rules.length} rules found`)
  expect(await runPromtool('test', 'rules', 'packaging/prometheus/alerts.test.yaml')).toContain('SUCCESS')
})

test.skipIf(skipWithoutPromtool)('Prometheus accepts every expression of the dashboard', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-rules-'))
  const toRules = (all: readonly string[]) =>
    JSON.stringify({ groups: [{ name: 'panels', rules: all.map((expr, i) => ({ record: `panel:${i}`, expr })) }] }) // JSON is YAML
  const check = async (all: readonly string[]) => {
    await writeFile(join(folder, 'panels.yaml'), toRules(all))
    return runPromtool('check', 'rules', join(folder, 'panels.yaml'))
  }
  const filled = expressions.map(([, expr]) =>
    expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'tablinum').replaceAll('$instance', '.*'),
  )
  expect(await check(filled)).toContain(`SUCCESS: ${filled.length} rules found`)
  await expect(check(['sum(rate(up[5m])'])).rejects.toThrow()
  await rm(folder, { recursive: true })
})
