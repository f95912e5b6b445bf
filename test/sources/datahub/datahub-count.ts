import { sql } from 'kysely'
import type { TestApp } from '../../support/test-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: events of any shape
type Json = any

/**
 * Counts what is in events with nothing of the product's own readers, and lists what is neither in the catalog nor named in the loss report:
 * datasets, fields, charts, dashboards, jobs, lineage of both levels, owners, tags and terms.
 */
export const findUnaccounted = async (app: TestApp, integration: string, events: readonly Json[]): Promise<string[]> => {
  const losses = await readLosses(app, integration)
  const catalog = await readCatalog(app)
  const missing: string[] = []
  const isNamed = (...names: string[]) => losses.some((line) => names.every((name) => line.includes(name)))
  const check = (found: boolean, what: string, ...names: string[]) => {
    if (!found && !isNamed(...names)) missing.push(what)
  }
  const checkEdge = (from: string, to: string, of: string) => {
    const [upstream, downstream] = [catalog.find(from), catalog.find(to)]
    check(catalog.edges.has(`${upstream} ${downstream}`) || (to !== of && isNamed(of, plain(to))), `edge ${from} > ${to}`, of, plain(from))
  }
  for (const [urn, aspects] of collect(events)) {
    const type = urn.split(':')[2]!
    const id = catalog.find(urn)
    check(id !== undefined || HAS_NO_PLACE.test(type), `entity ${urn}`, urn)
    if (aspects.get('status')?.removed === true) continue
    const about = (of: string | undefined, name: string, value: Json) => {
      for (const { owner } of value.ownership?.owners ?? []) check(catalog.has(of, 'owners', owner), `${name}: ${owner}`, urn, owner)
      for (const { tag } of value.globalTags?.tags ?? []) check(catalog.has(of, 'tags', tag), `${name}: ${tag}`, urn, tag)
      for (const { urn: term } of value.glossaryTerms?.terms ?? [])
        check(catalog.has(of, 'terms', catalog.find(term)), `${name}: ${term}`, urn, term)
    }
    about(id, urn, Object.fromEntries(aspects))
    const fields = [
      ...(aspects.get('schemaMetadata')?.fields ?? []),
      ...(aspects.get('editableSchemaMetadata')?.editableSchemaFieldInfo ?? []),
    ]
    for (const field of fields) {
      const column = catalog.find(`urn:li:schemaField:(${urn},${field.fieldPath})`)
      check(column !== undefined, `field ${urn} ${field.fieldPath}`, urn, plainPath(field.fieldPath))
      about(column, `${urn} ${field.fieldPath}`, field)
    }
    for (const { schemaFieldUrn, schemaField } of aspects.get('inputFields')?.fields ?? []) {
      const column = catalog.find(schemaFieldUrn)
      check(column !== undefined, `field ${schemaFieldUrn}`, urn, plain(schemaFieldUrn))
      about(column, schemaFieldUrn, schemaField ?? {})
    }
    for (const [from, to] of listEdges(urn, type, aspects)) checkEdge(from, to, urn)
    for (const other of mentioned([...aspects.values()]))
      check(catalog.find(other) !== undefined || type === 'query', `mention ${other}`, other)
  }
  return [...new Set(missing)]
}

const HAS_NO_PLACE = /^(tag|schemaField|dataPlatform|dataPlatformInstance|ownershipType|platformResource|versionSet|dataHub.*|telemetry)$/
const NAMES_ASSETS =
  /^(sources|upstreams|inputs|outputs|charts|datasets|dashboards|\w+Edges|\w+Datasets|\w+Datajobs|relatedAssets|entities)$/

/** Datasets, charts, dashboards and jobs in lists of references. */
const mentioned = (value: Json, name = ''): string[] => {
  if (typeof value === 'string') return NAMES_ASSETS.test(name) && /^urn:li:(dataset|chart|dashboard|dataJob):/.test(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap((each) => mentioned(each, name))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    mentioned(each, ['destinationUrn', 'dataset', 'asset', 'string'].includes(key) ? name : key),
  )
}

const list = (...values: Json[]): string[] =>
  values.flatMap((value) => (value ?? []).map((each: Json) => each.dataset ?? each.destinationUrn ?? each.string ?? each))

const listEdges = (urn: string, type: string, aspects: ReadonlyMap<string, Json>): [string, string][] => {
  const edges: [string, string][] = []
  const fine = (lineages: Json) => {
    for (const { upstreams, downstreams } of lineages ?? [])
      for (const from of upstreams ?? [])
        for (const to of downstreams ?? []) edges.push([from, from.includes('schemaField') || !to.includes('schemaField') ? to : urn])
  }
  const upstream = aspects.get('upstreamLineage') ?? {}
  for (const from of list(upstream.upstreams)) edges.push([from, urn])
  fine(upstream.fineGrainedLineages)
  const info = aspects.get('chartInfo') ?? aspects.get('dashboardInfo') ?? {}
  const lists = [info.inputs, info.inputEdges, info.charts, info.chartEdges, info.datasets, info.datasetEdges, info.dashboards]
  for (const from of list(...lists)) edges.push([from, urn])
  for (const { schemaFieldUrn } of aspects.get('inputFields')?.fields ?? [])
    if (!schemaFieldUrn.startsWith(`urn:li:schemaField:(${urn},`)) edges.push([schemaFieldUrn, urn])
  const io = aspects.get('dataJobInputOutput') ?? {}
  const run = { inputs: aspects.get('dataProcessInstanceInput') ?? {}, outputs: aspects.get('dataProcessInstanceOutput') ?? {} }
  const froms = list(
    io.inputDatasets,
    io.inputDatasetEdges,
    io.inputDatajobs,
    io.inputDatajobEdges,
    run.inputs.inputs,
    run.inputs.inputEdges,
  )
  const tos = list(io.outputDatasets, io.outputDatasetEdges, run.outputs.outputs, run.outputs.outputEdges)
  if (froms.length + tos.length > 0 && ['dataJob', 'dataProcessInstance'].includes(type))
    for (const from of froms.length > 0 ? froms : [urn]) for (const to of tos.length > 0 ? tos : [urn]) edges.push([from, to])
  fine(io.fineGrainedLineages)
  return edges
}

/** The aspects of every entity as they are at the end, from snapshots, proposals in every form, and patches that add. */
const collect = (events: readonly Json[]): Map<string, Map<string, Json>> => {
  const entities = new Map<string, Map<string, Json>>()
  const of = (urn: string) => entities.get(urn) ?? entities.set(urn, new Map()).get(urn)!
  for (const event of events) {
    if (event.proposedSnapshot) {
      const [{ urn, aspects }] = Object.values<Json>(event.proposedSnapshot)
      for (const each of aspects)
        for (const [name, value] of Object.entries<Json>(each)) {
          const short = name.split('.').at(-1)!
          of(urn).set(
            short.replace(/^(ML|[A-Z])/, (start) => start.toLowerCase()),
            withoutUnions(value),
          )
        }
      continue
    }
    if (!event.aspectName || event.changeType === 'DELETE') continue
    const raw = event.aspect.json ?? event.aspect.value
    const value = typeof raw === 'string' ? JSON.parse(raw) : raw
    if (event.changeType === 'PATCH') addPatch(of(event.entityUrn), event.aspectName, value.patch ?? value)
    else of(event.entityUrn).set(event.aspectName, value)
  }
  return entities
}

const withoutUnions = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutUnions)
  if (typeof value !== 'object' || value === null) return value
  const [[name, only] = [], ...others] = Object.entries<Json>(value)
  if (name && others.length === 0 && (/^(string|int|long|boolean|double)$/.test(name) || name.startsWith('com.linkedin')))
    return withoutUnions(only)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutUnions(each)]))
}

const addPatch = (aspects: Map<string, Json>, name: string, operations: readonly Json[]) => {
  const aspect = structuredClone(aspects.get(name) ?? {})
  for (const { op, path, value } of operations) {
    if (op !== 'add') continue
    const [, target, ...rest] = path.split('/').map((part: string) => decodeUrn(part.replaceAll('~1', '/').replaceAll('~0', '~')))
    if (target === 'fineGrainedLineages') {
      const lineage = { downstreams: [rest[1]], upstreams: [rest[3]] }
      aspect.fineGrainedLineages = [...(aspect.fineGrainedLineages ?? []), lineage]
    } else if (['upstreams', 'tags', 'owners', 'terms'].includes(target)) aspect[target] = [...(aspect[target] ?? []), value]
    else if (rest.length === 0) aspect[target] = value
  }
  aspects.set(name, aspect)
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
const decodeUrn = (text: string): string => (text.startsWith('urn%3A') ? decodeURIComponent(text) : text)
const plainPath = (path: string): string => path.replace(/\[(version|type|key)=[^\]]*\]\.?/g, '').replace(/\.$/, '') || path
/** A field as the loss report writes it, or an entity. */
const plain = (urn: string): string => {
  const [, dataset, path] = /^urn:li:schemaField:\((.*\)),(.*)\)$/s.exec(urn) ?? []
  return dataset ? `${dataset} ${plainPath(decode(path!))}` : urn
}

const readLosses = async (app: TestApp, integration: string): Promise<string[]> => {
  const { rows } = await sql<{ line: string }>`select line from integration_losses where integration = ${integration}`.execute(app.db)
  return rows.map(({ line }) => line)
}

const readCatalog = async (app: TestApp) => {
  const { rows } = await sql<{
    id: string
    parent: string | null
    title: string
    type: string
    urn: string | null
    tags: string[]
    terms: string[]
  }>`
    select r.id, r.parent, r.title, r.entity_type as type, coalesce(r.display_metadata ->> 'urn', r.display_metadata -> 'datahub' ->> 'urn') as urn,
      array(select lower(t.name) from tags t where t.id = any(r.tags)) as tags, coalesce(r.terms, '{}') as terms
    from resources r where r.integration is not null
  `.execute(app.db)
  const { rows: edges } = await sql<{ edge: string }>`select upstream || ' ' || downstream as edge from lineage_edges`.execute(app.db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byUrn = new Map(rows.flatMap(({ id, urn }) => (urn ? [[urn, id] as const] : [])))
  const columns = new Map<string, string[]>()
  for (const row of rows.filter(({ type }) => type === 'column')) {
    let [path, above] = [row.title, byId.get(row.parent!)]
    for (; above?.type === 'column'; above = byId.get(above.parent!)) path = `${above.title}.${path}`
    for (const key of [`${above!.id} ${path}`, `${above!.id} ${path}`.toLowerCase()])
      columns.set(key, [...new Set([...(columns.get(key) ?? []), row.id])])
  }
  const find = (urn: string): string | undefined => {
    const [, dataset, path] = /^urn:li:schemaField:\((.*\)),(.*)\)$/s.exec(urn) ?? []
    if (!dataset) return byUrn.get(urn)
    const table = byUrn.get(dataset)
    for (const name of [plainPath(path!), plainPath(decode(path!))])
      for (const key of [`${table} ${name}`, `${table} ${name}`.toLowerCase()]) {
        const [one, ...others] = columns.get(key) ?? []
        if (one && others.length === 0) return one
      }
    return undefined
  }
  const has = (id: string | undefined, list: 'tags' | 'terms' | 'owners', value: string | undefined): boolean => {
    const row = byId.get(id ?? '')
    if (list === 'owners' || !row || !value) return false // only users of the workspace can be owners
    return list === 'terms' ? row.terms.includes(value) : row.tags.includes(decode(value.slice('urn:li:tag:'.length)).toLowerCase())
  }
  return { find, has, edges: new Set(edges.map(({ edge }) => edge)) }
}
