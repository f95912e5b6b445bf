import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { newId } from '../id.ts'
import { putDerivedEdges } from '../lineage/derived.ts'
import { removeTrees } from '../resources/remove.ts'
import { markStale } from '../resources/stale.ts'
import { giveUp, type Twin } from '../sync/hand-over.ts'
import { putOffers } from '../sync/offer.ts'
import { findPeople } from '../sync/people.ts'
import { asIntegration } from '../sync/reconcile.ts'
import { noteGone } from '../sync/store.ts'
import { tellItems } from '../sync/tell.ts'
import { ensureTags } from '../tags/tags.ts'
import { type Bound, bindDatasets, nameOf } from './bind.ts'
import { tellChecks } from './checks.ts'
import { columnFlowsOf, namedBy } from './column-lineage.ts'
import type { Dataset, Event } from './event.ts'
import { allTagsOf, fieldsOf, isDropped, isOver, lastRun, ownersOf, runAfter, tagsOf } from './facets.ts'
import { edgesOf, type Flows, isNothing, NONE, proofOf, targetsOf, together } from './flows.ts'
import { integrationFor } from './integration.ts'
import { itemsOf, type Known, keyOf, taggedWith, usesByName, wordsOf } from './items.ts'
import { datasetKey, jobKey, placeOf, runKey } from './names.ts'
import { rawOfDataset, rawOfRun } from './raw-facets.ts'
import { findFacts, findFlows, findOldRuns, findThere, lockJob, putFlows, removeFlows } from './store.ts'

const UNIQUE = '23505'
const ATTEMPTS = 5

/** Ingests events one after another, each in its own transaction. Repeated or reordered events have the same result. */
export const takeEvents = async (ctx: Context, events: readonly Event[], integration?: string): Promise<void> => {
  mustBeAble(ctx.actor, 'catalog.write')
  for (const event of events) await takeEvent({ ...ctx, if_match: undefined }, event, integration)
}

const takeEvent = async (ctx: Context, event: Event, named: string | undefined): Promise<void> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      const job = await inTransaction(ctx, (ctx) => take(ctx, event, named))
      if (job) await forgetOldRuns(ctx, job)
      return
    } catch (error) {
      // Two jobs reported the same new dataset at the same time: the retry finds it.
      if ((error as { code?: string }).code !== UNIQUE || attempt === ATTEMPTS) throw error
    }
}

/** Returns the job if the event is the first one of a run. */
const take = async (caller: Context, told: Event, named: string | undefined): Promise<string | undefined> => {
  const dropped = told.outputs.filter((output) => told.kind !== 'dataset' && isDropped(output))
  const outputs = told.outputs.filter((output) => !dropped.includes(output))
  const event = { ...told, outputs, inputs: [...told.inputs, ...mentioned({ ...told, outputs })] }
  const { namespace } = event.kind === 'dataset' ? event.outputs[0]! : event.job
  const integration = await integrationFor(caller, namespace, named)
  const ctx = itself(caller)
  const datasets = [...event.inputs, ...event.outputs]
  await lockJob(ctx.db, integration, event.kind === 'dataset' ? datasetKey(namespace, event.outputs[0]!.name) : jobKey(event.job))
  // Only resources the caller can see.
  const bound = await bindDatasets(caller, datasets, integration)
  const known = await findFacts(ctx.db, integration, keysOf(event, bound))
  const before = event.kind === 'run' ? known.get(runKey(event.run.id)) : undefined
  const run = event.kind === 'run' ? runAfter(before, event, rawOfRun(before, event)) : undefined
  const last = event.kind === 'run' ? lastRun(known.get(jobKey(event.job)), run) : undefined
  const voices = [...datasets, ...(event.kind === 'dataset' ? [] : [event.job])].map(({ facets }) => facets)
  const names = { people: await findPeople(ctx.db, voices.flatMap(ownersOf)), tags: await tagsBy(ctx, voices.flatMap(allTagsOf)) }
  const ids = await tellItems(ctx, integration, itemsOf(event, bound, { ...names, run, last, facts: known }))
  await giveUp(ctx, integration, twinsOf(datasets, bound))
  if (event.kind === 'run' && event.type === 'COMPLETE') await takeAway(ctx, integration, dropped)
  await putOffers(ctx, integration, 'openlineage', offersOf(datasets, bound, names))
  if (event.kind === 'run')
    await tellChecks(ctx.db, event, {
      table: (dataset) => tableId(dataset, bound, ids),
      column: (dataset, name) => columnId(dataset, name, bound, ids),
    })
  const job = event.kind === 'dataset' ? undefined : ids.get(jobKey(event.job))
  await writeFlows(ctx, event, flowsOf(event, bound, ids), {
    job,
    run: event.kind === 'run' ? ids.get(runKey(event.run.id)) : undefined,
    ids,
    bound,
  })
  return event.kind === 'run' && !before ? job : undefined
}

/** Dropped datasets become stale until they are reported again. Tables of other sources are managed by those. */
const takeAway = async (ctx: Context, integration: string, dropped: readonly Dataset[]): Promise<void> => {
  if (dropped.length === 0) return
  const keys = dropped.map((dataset) => datasetKey(dataset.namespace, ...placeOf(dataset).parts))
  const ids = await findThere(ctx.db, integration, keys)
  await markStale(ctx, ids, true)
  await noteGone(ctx.db, ids, ctx.now)
}

/** Keys of what the event describes and that may already have facts. */
const keysOf = (event: Event, bound: Bound): string[] => [
  ...(event.kind === 'dataset' ? [] : [jobKey(event.job)]),
  ...(event.kind === 'run' ? [runKey(event.run.id)] : []),
  ...[...event.inputs, ...event.outputs].filter((dataset) => !bound.tables.has(nameOf(dataset))).map(keyOf),
]

/** Acts as the source itself, not as the caller who sent the event. */
const itself = (ctx: Context): Context => ({ ...asIntegration(ctx, ''), part_of: undefined })

const tagsBy = async (ctx: Context, names: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  names.length > 0 ? ensureTags(ctx, names) : new Map()

/** Datasets named only in column lineage are inputs as well. */
const mentioned = ({ inputs, outputs }: Event): Dataset[] => {
  const known = new Set([...inputs, ...outputs].map(nameOf))
  const found = new Map<string, Dataset>()
  for (const output of outputs)
    for (const { namespace, name } of namedBy(output)) {
      const dataset = { namespace, name, facets: {}, use: {} }
      if (!known.has(nameOf(dataset))) found.set(nameOf(dataset), dataset)
    }
  return [...found.values()]
}

const offersOf = (datasets: readonly Dataset[], bound: Bound, names: Pick<Known, 'people' | 'tags'>) => {
  const uses = usesByName(datasets)
  return [...new Map(datasets.map((dataset) => [nameOf(dataset), dataset])).values()].flatMap((dataset) => {
    const table = bound.tables.get(nameOf(dataset))
    if (!table) return []
    const words = wordsOf(dataset.facets, names)
    const columns = fieldsOf(dataset.facets).flatMap(({ path, description }) => {
      const fields = { ...(description ? { description } : {}), ...taggedWith(tagsOf(dataset.facets, path.join('.')), names.tags) }
      const column = path.length === 1 && Object.keys(fields).length > 0 ? bound.column(table, path[0]!) : undefined
      return column ? [{ resource_id: column.id, fields }] : []
    })
    const facts = rawOfDataset(undefined, uses.get(nameOf(dataset))!)
    const says = { resource_id: table.id, fields: words, ...(Object.keys(facts).length > 0 ? { facts } : {}) }
    return [...(Object.keys(words).length > 0 || says.facts ? [says] : []), ...columns]
  })
}

/** Datasets that were reported here before another source reported the same table. */
const twinsOf = (datasets: readonly Dataset[], bound: Bound): Twin[] =>
  datasets.flatMap((dataset) => {
    const table = bound.tables.get(nameOf(dataset))
    if (!table) return []
    const path = [dataset.namespace, ...placeOf(dataset).parts] as const
    return [
      { key: datasetKey(...path), id: table.id },
      ...fieldsOf(dataset.facets).map((field) => ({
        key: datasetKey(...path, ...field.path),
        ...(field.path.length === 1 ? { id: bound.column(table, field.path[0]!)?.id } : {}),
      })),
    ]
  })

type Ids = ReadonlyMap<string, string>

const tableId = (dataset: Pick<Dataset, 'namespace' | 'name'>, bound: Bound, ids: Ids): string | undefined =>
  bound.tables.get(nameOf(dataset))?.id ?? ids.get(datasetKey(dataset.namespace, ...placeOf(dataset).parts))

const columnId = (dataset: Pick<Dataset, 'namespace' | 'name'>, field: string, bound: Bound, ids: Ids): string | undefined => {
  const table = bound.tables.get(nameOf(dataset))
  return table ? bound.column(table, field)?.id : ids.get(datasetKey(dataset.namespace, ...placeOf(dataset).parts, field))
}

const flowsOf = (event: Event, bound: Bound, ids: Ids): Flows => {
  const tables = (datasets: readonly Dataset[]) => datasets.flatMap((dataset) => tableId(dataset, bound, ids) ?? [])
  const columns = event.outputs.flatMap((output) =>
    columnFlowsOf(output.facets).flatMap(({ from, to, kind }) => {
      const [upstream, downstream] = [
        columnId(from, from.field, bound, ids),
        to === null ? tableId(output, bound, ids) : columnId(output, to, bound, ids),
      ]
      return upstream && downstream && upstream !== downstream ? [[upstream, downstream, kind] as const] : []
    }),
  )
  return together({ inputs: tables(event.inputs), outputs: tables(event.outputs), columns }, NONE)
}

interface Through {
  readonly job: string | undefined
  readonly run: string | undefined
  readonly bound: Bound
  readonly ids: Ids
}

/**
 * A run that completes replaces the flows of its job with those of all its events; until then its flows are added to the known ones, and a
 * failed run changes nothing. So the graph does not change with every start.
 */
const writeFlows = async (ctx: Context, event: Event, told: Flows, { job, run, bound, ids }: Through): Promise<void> => {
  const whose = job ?? tableId(event.outputs[0]!, bound, ids)
  if (!whose) return
  const kept = await findFlows(ctx.db, [whose, ...(run ? [run] : [])])
  const before = kept.get(whose) ?? NONE
  const sofar = run ? together(kept.get(run) ?? NONE, told) : told
  const over = event.kind !== 'run' || isOver(event.type)
  if (run && over && kept.has(run)) await removeFlows(ctx.db, run)
  if (run && !over && !same(sofar, kept.get(run) ?? NONE)) await putFlows(ctx.db, run, sofar)
  const final = event.kind !== 'run' || event.type === 'COMPLETE'
  if (isNothing(sofar) || (over && !final)) return
  const after = final ? sofar : together(before, sofar)
  if (same(after, before) || (!final && (after.inputs.length === 0 || after.outputs.length === 0))) return
  await putFlows(ctx.db, whose, after)
  const sql = event.kind === 'dataset' ? proofOf('dataset', event.outputs[0]!) : proofOf('job', event.job)
  await putDerivedEdges(
    ctx,
    {
      query: { sql, dialect: 'openlineage', engine_version: 'openlineage', statements: [{ kind: 'job', start: 0, end: sql.length, job }] },
      targets: [...new Set([...targetsOf(before, job), ...targetsOf(after, job)])],
      edges: edgesOf(after, job, sql.length),
    },
    { replace: [] },
  )
}

const same = (one: Flows, other: Flows): boolean => JSON.stringify(one) === JSON.stringify(other)

const KEPT_RUNS = 50
const SLACK = 10 // deletes this many at once

const forgetOldRuns = (ctx: Context, job: string): Promise<void> =>
  findOldRuns(ctx.db, job, KEPT_RUNS, SLACK).then((old) =>
    old.length === 0
      ? undefined
      : inTransaction(itself(ctx), async (ctx) => {
          await removeTrees(ctx, await findOldRuns(ctx.db, job, KEPT_RUNS, SLACK), newId())
        }),
  )
