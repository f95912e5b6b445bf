import { type Discovered, defineConnector } from '../../../../connector/src/define.ts'
import { mapConcurrently } from '../../../../connector/src/paging.ts'
import type { FlowColumn, FlowEnd } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { childKey, toOwners, toTags } from '../bi/item-parts.ts'
import { CONCURRENT_REQUESTS, splitIntoBatches } from '../bi/listing.ts'
import { type JobRun, toLastRun, toRunItems } from '../orchestration/runs.ts'
import { DagsterApi, type RepositoryName, type UnloadedLocation } from './dagster-api.ts'
import { DAGSTER_GRANTS, DAGSTER_SETTINGS, type DagsterSettings } from './dagster-settings.ts'

const ASSETS_AT_ONCE = 50
const ANY_DIALECT = 'postgres'

const repositoryKey = ({ repositoryName, repositoryLocationName }: RepositoryName): string =>
  childKey(childKey('repository', repositoryLocationName), repositoryName)
const readPath = (key: Shape): string[] => key.list('path').map(({ value }) => String(value))
const assetKey = (path: readonly string[]): string => path.reduce(childKey, 'asset')

export const dagster = defineConnector<DagsterSettings>({
  name: 'dagster',
  label: 'Dagster',
  version: '1.0.0',
  settings: DAGSTER_SETTINGS,
  grants: DAGSTER_GRANTS,

  test: async (context) => {
    const { version, repositories } = await new DagsterApi(context).listRepositories()
    return `Connected to Dagster ${version}: ${repositories.length} repositories.`
  },

  async *discover(context) {
    const api = new DagsterApi(context)
    const { repositories, unloaded } = await api.listRepositories()
    yield* unloaded.map(toUnlisted)
    if (unloaded.length > 0) yield { type: 'unlisted', key: 'asset', reason: KEPT_ASSETS }
    const seen = new Set<string>()
    const assets: { readonly asset: Shape; readonly group: string }[] = []
    for (const [done, name] of repositories.entries()) {
      await context.progress(done, repositories.length)
      const repository = await api.getRepository(name)
      const group = repositoryKey(name)
      yield {
        type: 'item',
        key: group,
        entity_type: 'job_group',
        title: `${name.repositoryLocationName}/${name.repositoryName}`.slice(0, 500),
        native_type: 'repository',
      }
      for (const job of repository.list('jobs')) yield* readJob(job, group)
      const paths = repository.list('assetNodes').map((asset) => readPath(asset.object('assetKey')))
      const listed = mapConcurrently(splitIntoBatches(paths, ASSETS_AT_ONCE), CONCURRENT_REQUESTS, (batch) => api.listAssets(batch))
      for await (const batch of listed)
        for (const asset of batch) {
          const key = assetKey(readPath(asset.object('assetKey')))
          if (seen.has(key)) continue // also a source of another repository
          seen.add(key)
          assets.push({ asset, group })
          yield* readAsset(asset, group, context.settings.database)
        }
    }
    for (const { asset, group } of assets) yield* toFlows(asset, group, seen)
  },
})

/** The keys of assets do not tell their code location. */
const KEPT_ASSETS = 'Dagster: assets that are not listed stay as they are, because not every code location is loaded.'

const toUnlisted = ({ name, reason }: UnloadedLocation): Discovered => ({
  type: 'unlisted',
  key: childKey('repository', name),
  reason: `Dagster: the code location ${name} is not loaded: ${reason} What is known of it stays as it is.`,
})

const readJob = (job: Shape, group: string): Discovered[] => {
  const name = job.text('name')
  if (name.startsWith('__')) return [] // Dagster's own, for assets without a job
  const key = childKey(group, name)
  const runs = job.list('runs').map(readRun)
  return [
    {
      type: 'item',
      key,
      parent: group,
      entity_type: 'job',
      title: name.slice(0, 500),
      description: job.optionalText('description') || null,
      native_type: (job.optionalBoolean('isAssetJob') ?? false) ? 'asset job' : 'job',
      ...readTags(job),
      facts: {
        schedules: job.optionalList('schedules').map((schedule) => ({
          name: schedule.text('name'),
          schedule: schedule.optionalText('cronSchedule') ?? null,
          timezone: schedule.optionalText('executionTimezone') ?? null,
        })),
        ...toLastRun(runs),
      },
    },
    ...toRunItems(key, runs),
  ]
}

const readRun = (run: Shape): JobRun => ({
  id: run.text('runId'),
  status: run.text('status'),
  started_at: readSeconds(run.at('startTime')),
  ended_at: readSeconds(run.at('endTime')),
})

const readSeconds = (time: Shape): string | undefined => {
  if (time.missing) return undefined
  return typeof time.value === 'number' ? new Date(time.value * 1000).toISOString() : time.fail('a number of seconds')
}

/** Tags of Dagster itself say how to run a job. */
const readTags = (object: Shape) =>
  toTags(
    object
      .optionalList('tags')
      .map((tag) => [tag.text('key'), tag.text('value')] as const)
      .filter(([key]) => !key.startsWith('dagster/'))
      .map(([key, value]) => (value === '' ? key : `${key}: ${value}`)),
  )

/** The newest values first: what a materialization reports replaces what the definition states. */
const listMetadata = (asset: Shape): Shape[] => [
  ...asset.optionalList('assetMaterializations').flatMap((each) => each.list('metadataEntries')),
  ...asset.list('metadataEntries'),
]

const findMetadata = (asset: Shape, type: string, label?: string): Shape | undefined =>
  listMetadata(asset).find((entry) => entry.text('__typename') === type && (label === undefined || entry.text('label') === label))

const readAsset = (asset: Shape, group: string, database: string | undefined): Discovered[] => {
  const path = readPath(asset.object('assetKey'))
  const key = assetKey(path)
  const table = findTable(asset, path, database)
  const columns = findMetadata(asset, 'TableSchemaMetadataEntry')?.object('schema').list('columns') ?? []
  const owners = asset.optionalList('owners')
  const teams = owners.flatMap((owner) => owner.optionalText('team') ?? [])
  const materialized = Number(asset.optionalList('assetMaterializations')[0]?.optionalText('timestamp'))
  return [
    {
      type: 'item',
      key,
      parent: group,
      entity_type: 'table',
      title: path.join('/').slice(0, 500) || '(no name)',
      description: asset.optionalText('description') || null,
      native_type: 'asset',
      ...toOwners(...owners.map((owner) => owner.optionalText('email'))),
      ...readTags(asset),
      updated_at: Number.isFinite(materialized) ? new Date(materialized).toISOString() : null,
      facts: {
        asset_key: path,
        group: asset.optionalText('groupName') ?? null,
        kinds: asset.optionalList('kinds').map(({ value }) => value),
        jobs: asset.list('jobNames').map(({ value }) => value),
        ...(teams.length > 0 ? { teams } : {}),
      },
      ...(table ? { same_as: { table, dialect: ANY_DIALECT } } : {}),
    },
    ...columns.map(
      (column): Discovered => ({
        type: 'item',
        key: childKey(key, column.text('name')),
        parent: key,
        entity_type: 'column',
        title: column.text('name').slice(0, 500) || '(no name)',
        description: column.optionalText('description') || null,
        native_type: column.optionalText('type') || null,
      }),
    ),
  ]
}

/** The table it is stored in: as the asset states it, else by its key, which I/O managers use as schema and table. */
const findTable = (asset: Shape, path: readonly string[], database: string | undefined): string[] | undefined => {
  const stated = findMetadata(asset, 'TextMetadataEntry', 'dagster/table_name')?.text('text').split('.')
  const name = stated ?? path.slice(-2)
  if (name.length < 2 || name.some((part) => part === '')) return undefined
  return name.length === 2 && database ? [database, ...name] : [...name]
}

/** What the asset is made of; columns where a materialization reported them. */
function* toFlows(asset: Shape, group: string, known: ReadonlySet<string>): Generator<Discovered, void> {
  const to: FlowEnd = { item: assetKey(readPath(asset.object('assetKey'))) }
  const columns = new Map<string, FlowColumn[]>()
  for (const column of findMetadata(asset, 'TableColumnLineageMetadataEntry')?.list('lineage') ?? [])
    for (const source of column.list('columnDeps')) {
      const from = assetKey(readPath(source.object('assetKey')))
      const flow = { from: childKey(from, source.text('columnName')), to: childKey(to.item, column.text('columnName')) }
      columns.set(from, [...(columns.get(from) ?? []), flow])
    }
  const upstream = new Set([...asset.list('dependencyKeys').map((key) => assetKey(readPath(key))), ...columns.keys()])
  for (const item of upstream)
    if (known.has(item)) yield { type: 'flow', job: group, from: [{ item }], to: [to], columns: columns.get(item) ?? [] }
}
