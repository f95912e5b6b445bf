import { flowEdges } from '../job-flows/flows.ts'
import { applyChanges } from './apply-changes.ts'
import type { Aspect, AspectChange, ParsedEvents } from './change.ts'
import type { Entity } from './entities.ts'
import { findFlows } from './flows.ts'
import { ItemBuilder, reportRemoved } from './items.ts'
import { describeRejected, LossReport } from './losses.ts'
import { groupByPipeline } from './pipelines.ts'
import { readLineage, resolveFlows } from './resolve-flows.ts'

/** What events would become in an empty catalog. Pure. */
export interface DryRun {
  /** The name of the integration. */
  readonly name: string
  /** Resources by their type, lineage, and what is looked up when the events are sent. */
  readonly counts: ReadonlyMap<string, number>
  readonly losses: readonly string[]
}

export const describeIngest = ({ changes, rejected }: ParsedEvents): DryRun[] => {
  const rejectedBy = groupByPipeline(rejected, changes)
  const runs = [...groupByPipeline(changes, changes)].map(([name, group]) => {
    const losses = new LossReport()
    const applied = applyChanges(group, () => undefined)
    const counts = describeEntities(toEntities(applied.changed.map(({ change, value }) => ({ ...change, value }))), losses)
    for (const each of [...(rejectedBy.get(name) ?? []), ...applied.rejected]) losses.add(describeRejected(each))
    rejectedBy.delete(name)
    return { name, counts, losses: losses.lines }
  })
  const others = [...rejectedBy].map(([name, group]) => ({ name, counts: new Map<string, number>(), losses: group.map(describeRejected) }))
  return [...runs, ...others]
}

const toEntities = (changed: readonly AspectChange[]): Map<string, Entity> => {
  const entities = new Map<string, Entity & { readonly aspects: Map<string, Aspect> }>()
  for (const { urn, entity_type, aspect, value } of changed) {
    if (value === undefined) continue
    const entity = entities.get(urn) ?? { urn, type: entity_type, aspects: new Map<string, Aspect>() }
    entity.aspects.set(aspect, value)
    entities.set(urn, entity)
  }
  return entities
}

const describeEntities = (entities: ReadonlyMap<string, Entity>, losses: LossReport): Map<string, number> => {
  const { columnNames, named } = readLineage(entities)
  // Without a server, every owner, tag and term counts as known.
  const [people, groups, tags, terms] = [new AnyName(), new AnyName(), new AnyName(), new AnyName()]
  const references = { people, groups, tags, terms }
  const builder = new ItemBuilder({ ...{ entities, columnNames, named, references, losses }, foreign: new Map() })
  const items = [...builder.items()]
  builder.finish()
  const ids = new Map(items.map(({ key }) => [key, key]))
  const edges = new Set(
    resolveFlows([...findFlows(entities, columnNames)], { ids, foreign: NOTHING, losses }).flatMap(({ owner, isJob, after }) =>
      flowEdges(after, isJob ? owner : undefined, 0).map(({ upstream, downstream }) => `${upstream} ${downstream}`),
    ),
  )
  reportRemoved(entities, losses)
  const counts = new Map<string, number>()
  for (const { entity_type } of items) counts.set(entity_type, (counts.get(entity_type) ?? 0) + 1)
  const countNames = (names: readonly string[] | null | undefined, seen: Set<string>) => {
    for (const each of names ?? []) seen.add(each)
  }
  const [owners, used] = [new Set<string>(), new Set<string>()]
  for (const { fields } of items) {
    countNames(fields.owners, owners)
    countNames(fields.owners_groups, owners)
    countNames(fields.tags, used)
  }
  for (const [kind, n] of [
    ['lineage edge', edges.size],
    ['tag', used.size],
    ['owner', owners.size],
  ] as const)
    if (n > 0) counts.set(kind, n)
  return counts
}

/** Knows every name that could be stored: it is its own ID. */
class AnyName extends Map<string, string> {
  override get(name: string): string | undefined {
    return name.trim() === '' || name.length > 200 ? undefined : name
  }
  override has(name: string): boolean {
    return this.get(name) !== undefined
  }
}

const NOTHING = { get: () => undefined, column: () => undefined }
