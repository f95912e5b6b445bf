import { type Discovered, defineConnector } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { explainUnreadable } from '../bi/bi-client.ts'
import { joinUrl, toOwners, toTableSource } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, listOnce } from '../bi/listing.ts'
import { findUnchanged, toVersion, toVersionFields } from '../bi/versions.ts'
import { toViews } from '../bi/view-counts.ts'
import { chartKey, dashboardKey, SupersetApi } from './superset-api.ts'
import { findUsedColumns, toChartQuery } from './superset-query.ts'
import { SUPERSET_GRANTS, SUPERSET_SETTINGS, type SupersetSettings } from './superset-settings.ts'

const CHARTS = '/api/v1/chart/'
const DASHBOARDS = '/api/v1/dashboard/'

export const superset = defineConnector<SupersetSettings>({
  name: 'superset',
  label: 'Apache Superset',
  version: '1.0.0',
  settings: SUPERSET_SETTINGS,
  grants: SUPERSET_GRANTS,

  test: async (context) => {
    const api = await SupersetApi.connect(context)
    return `Connected to Superset: ${await api.count(CHARTS)} charts and ${await api.count(DASHBOARDS)} dashboards.`
  },

  async *discover(context) {
    const { url } = context.settings
    const api = await SupersetApi.connect(context)
    const owners = await api.listOwners()
    const changes = await api.listDatasetChanges()
    const views = await api.countViews(context.log)
    const chartsByDashboard = new Map<number, number[]>()
    const readChart = async (chart: Shape): Promise<Discovered[]> => {
      const key = chartKey(chart.integer('id'))
      const native_type = chart.optionalText('viz_type') ?? null
      const about = describe(chart, 'slice_name', key, url, owners)
      const dataset = findDatasetId(chart)
      const changed = dataset === undefined ? null : changes.get(dataset)
      const version = toVersion(
        { ...about, url: chart.optionalText('url') ?? null },
        native_type,
        dataset ?? null,
        chart.optionalText('params') ?? null,
        changed,
        toViews(views, key),
      )
      const unchanged = findUnchanged(context, key, version)
      if (unchanged) return [unchanged]
      const { facts, more, lineage } = await readDataset(api, chart, key)
      return [
        {
          ...about,
          ...toVersionFields(key, version),
          entity_type: 'chart',
          native_type,
          facts,
          ...more,
          ...toViews(views, key),
        },
        ...lineage,
      ]
    }
    for await (const chart of listOnce(api.list(CHARTS, 'slice_name'), getId)) {
      for (const dashboard of chart.optionalList('dashboards')) {
        const id = dashboard.integer('id')
        chartsByDashboard.set(id, [...(chartsByDashboard.get(id) ?? []), chart.integer('id')])
      }
      yield* await readChart(chart)
    }
    const dashboards = listOnce(api.list(DASHBOARDS, 'dashboard_title'), getId)
    for await (const found of mapConcurrently(dashboards, CONCURRENT_REQUESTS, async (dashboard) => {
      const id = dashboard.integer('id')
      const charts = chartsByDashboard.get(id) ?? (await readPositions(api, dashboard))
      return { dashboard, id, charts }
    })) {
      const { dashboard, id, charts } = found
      const key = dashboardKey(id)
      if (!Array.isArray(charts)) {
        if (charts) yield charts
        continue
      }
      yield {
        ...describe(dashboard, 'dashboard_title', key, url, owners),
        entity_type: 'dashboard',
        facts: { status: dashboard.optionalText('status') ?? null, certified_by: dashboard.optionalText('certified_by') || null },
        ...toViews(views, key),
      }
      if (charts.length > 0) yield { type: 'lineage', to: key, from: charts.map((chart) => ({ item: chartKey(chart) })) }
    }
  },
})

const getId = (each: Shape): number => each.integer('id')

const describe = (shape: Shape, titleField: string, key: string, base: string, emails: ReadonlyMap<number, string>) => {
  const owners = shape.optionalList('owners').flatMap((owner) => emails.get(owner.integer('id')) ?? [])
  const tags = shape
    .optionalList('tags')
    .filter((tag) => ['1', 'TagTypes.custom', 'custom'].includes(String(tag.at('type').value)))
    .flatMap((tag) => tag.optionalText('name') || [])
  const path = shape.optionalText('url')
  return {
    type: 'item' as const,
    key,
    title: (shape.at(titleField).value === null ? '' : shape.text(titleField)) || '(no name)',
    description: shape.optionalText('description') ?? null,
    url: path === undefined ? null : joinUrl(base, path),
    updated_at: shape.optionalText('changed_on_utc') ?? null,
    ...toOwners(...owners),
    ...(tags.length > 0 ? { tags } : {}),
  }
}

/** Undefined for a chart of a query, whose IDs are others. */
const findDatasetId = (chart: Shape): number | undefined =>
  (chart.optionalText('datasource_type') ?? 'table') === 'table' ? chart.optionalInteger('datasource_id') : undefined

/** What a chart shows of which dataset. */
const readDataset = async (api: SupersetApi, chart: Shape, key: string) => {
  const id = findDatasetId(chart)
  const dataset = id === undefined ? undefined : await api.findDataset(id)
  if (!dataset) return { facts: {}, more: {}, lineage: [] }
  const columns = findUsedColumns(parseParams(chart), dataset)
  const facts = { dataset: dataset.name, columns }
  const source = toTableSource([dataset.database, dataset.schema, dataset.table], columns, dataset)
  if (dataset.sql === undefined) return { facts, more: {}, lineage: [{ type: 'lineage' as const, to: key, from: [source] }] }
  const query = toChartQuery(dataset, columns)
  return query ? { facts, more: { query }, lineage: [] } : { facts: { ...facts, definition: dataset.sql }, more: {}, lineage: [] }
}

const parseParams = (chart: Shape): unknown => {
  try {
    return JSON.parse(chart.optionalText('params') ?? '{}')
  } catch {
    return {}
  }
}

/** The charts of a dashboard by its layout, for versions that do not list the dashboards of a chart. */
const readPositions = async (api: SupersetApi, dashboard: Shape) => {
  const id = dashboard.integer('id')
  try {
    const text = dashboard.optionalText('position_json') ?? (await api.get(`${DASHBOARDS}${id}`)).optionalText('position_json')
    const layout = Object.values((JSON.parse(text || '{}') ?? {}) as Record<string, { meta?: { chartId?: unknown } } | null>)
    return [...new Set(layout.flatMap((part) => (/^\d+$/.test(String(part?.meta?.chartId)) ? Number(part!.meta!.chartId) : [])))]
  } catch (error) {
    if (error instanceof SyntaxError) return []
    return explainUnreadable(error, dashboardKey(id))
  }
}
