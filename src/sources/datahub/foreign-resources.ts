import { resolveTables } from '../../lineage/queries/resolve-tables.ts'
import type { Context } from '../../platform/context/context.ts'
import { findColumnsByKey, findDescribedElsewhere } from './aspect-rows.ts'
import type { Entities } from './entities.ts'
import { hasColumns, NAMED_BY_URN } from './entity-kinds.ts'
import type { ColumnName } from './flows.ts'
import { columnKey, entityKey } from './items.ts'
import { getPlatform, splitDatasetName } from './urn.ts'

type FindColumn = (name: ColumnName) => string | undefined

/**
 * Entities that this pipeline only mentions, and that are resources of another integration: because another pipeline describes the same URN, or
 * because a dataset has the full name of a table. IDs by URN.
 */
export class ForeignResources extends Map<string, string> {
  readonly #columns = new Map<string, FindColumn>()

  static async find(ctx: Context, integration: string, entities: Entities, urns: readonly string[]): Promise<ForeignResources> {
    const mentioned = [...new Set(urns)].filter(
      (urn) => NAMED_BY_URN.has(urn.split(':')[2] ?? '') && !DESCRIBING_ASPECTS.some((aspect) => entities.get(urn)?.aspects.has(aspect)),
    )
    const foreign = new ForeignResources()
    // Two pipelines that both report the lineage of one resource would replace each other's.
    const withoutLineage = mentioned.filter((urn) => !FLOW_ASPECTS.some((aspect) => entities.get(urn)?.aspects.has(aspect)))
    await foreign.#findByUrn(ctx, integration, withoutLineage)
    await foreign.#findByName(
      ctx,
      integration,
      mentioned.filter((urn) => urn.startsWith('urn:li:dataset:') && !foreign.has(urn)),
    )
    return foreign
  }

  column(name: ColumnName): string | undefined {
    return this.#columns.get(name.dataset)?.(name)
  }

  async #findByUrn(ctx: Context, integration: string, urns: readonly string[]): Promise<void> {
    const found = await findDescribedElsewhere(ctx, integration, urns, DESCRIBING_ASPECTS, entityKey)
    for (const [other, rows] of Map.groupBy(found, (row) => row.integration)) {
      const datasets = rows.filter(({ urn }) => hasColumns(urn))
      const keys = await findColumnsByKey(
        ctx.db,
        other,
        datasets.map(({ resource_id }) => resource_id),
      )
      for (const { urn, resource_id } of rows) this.set(urn, resource_id)
      const folded = foldKeys(keys)
      for (const { urn } of datasets)
        this.#columns.set(urn, ({ dataset, path }) => {
          const key = columnKey(dataset, path)
          return keys.get(key) ?? folded.get(key.toLowerCase())
        })
    }
  }

  async #findByName(ctx: Context, integration: string, urns: readonly string[]): Promise<void> {
    for (const [platform = '', ofPlatform] of Map.groupBy(urns, getPlatform)) {
      const names = ofPlatform.map((urn) => ({ urn, parts: splitDatasetName(urn) })).filter(({ parts }) => parts.length > 1)
      if (names.length === 0) continue
      const binding = await resolveTables(
        ctx,
        names.map(({ parts }) => parts),
        platform,
        { without: integration },
      )
      await binding.loadColumns(ctx)
      for (const { urn, parts } of names) {
        const { table } = binding.get(parts)
        if (!table) continue
        this.set(urn, table.id)
        this.#columns.set(urn, ({ path }) => (path.length === 1 ? binding.column(table, path[0]!)?.id : undefined))
      }
    }
  }
}

/** By key in lower case, as far as that names only one column. */
const foldKeys = (keys: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(
    [...Map.groupBy(keys, ([key]) => key.toLowerCase())].flatMap(([folded, same]) =>
      same.length === 1 ? [[folded, same[0]![1]] as const] : [],
    ),
  )

/** An entity with one of them is described: it is an item of its own. */
const DESCRIBING_ASPECTS = [
  ...['datasetProperties', 'schemaMetadata', 'container', 'chartInfo', 'dashboardInfo', 'dataFlowInfo', 'dataJobInfo'],
  ...['glossaryTermInfo', 'domainProperties', 'dataProductProperties', 'metricInfo', 'semanticModelInfo'],
]

const FLOW_ASPECTS = ['upstreamLineage', 'dataJobInputOutput', 'inputFields', 'metricUpstreams']
