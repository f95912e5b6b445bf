import { sql } from 'kysely'
import { parseEvents } from '../../../src/sources/datahub/change.ts'
import { applyPatch } from '../../../src/sources/datahub/patch.ts'
import { parseFieldPath } from '../../../src/sources/datahub/urn.ts'
import { buildItemKey } from '../../../src/sources/sync/item.ts'
import type { TestApp } from '../../support/test-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: recorded events
type Json = any

const RESOURCES = [
  ...['dataset', 'chart', 'dashboard', 'dataFlow', 'dataJob', 'dataProcessInstance', 'container', 'query', 'assertion'],
  ...['glossaryTerm', 'glossaryNode', 'domain', 'dataProduct', 'document'],
]

/**
 * Walks every event by itself, without the product's readers, and lists what neither arrived nor is named in the loss report: entities, fields,
 * lineage of tables and columns, owners, tags and terms.
 */
export const findMissing = async (app: TestApp, integration: string, events: readonly Json[]): Promise<string[]> => {
  const losses = await readLosses(app, integration)
  const catalog = await readCatalog(app)
  const missing = new Set<string>()
  const expectNamed = (arrived: boolean, what: string, ...names: string[]) => {
    if (!arrived && !losses.some((line) => names.every((name) => line.includes(name)))) missing.add(what)
  }
  const entities = collectEntities(events)
  const isGone = (urn: string) => entities.get(urn)?.get('status')?.removed === true
  const columnId = (urn: string): string | undefined => {
    const [, dataset, path] = /^urn:li:schemaField:\((.*\)),(.*)\)$/s.exec(urn) ?? []
    return dataset && path ? catalog.byKey.get(buildItemKey(dataset, ...parseFieldPath(decode(path)))) : undefined
  }
  const idOf = (urn: string) => columnId(urn) ?? catalog.byUrn.get(urn)
  const expectEdge = (from: string, to: string, of: string) => {
    const [upstream, downstream] = [idOf(from), idOf(to)]
    if (from === to || (upstream !== undefined && upstream === downstream)) return
    expectNamed(catalog.edges.has(`${upstream} ${downstream}`), `${from} > ${to}`, of)
  }
  for (const [urn, aspects] of entities) {
    if (isGone(urn)) expectNamed(!RESOURCES.includes(urn.split(':')[2]!) || catalog.byUrn.has(urn), urn, urn)
    if (isGone(urn) || [...aspects.keys()].some((name) => name.startsWith('datahubIngestion'))) continue
    const type = urn.split(':')[2]!
    expectNamed(!RESOURCES.includes(type) || catalog.byUrn.has(urn), urn, urn)
    if (!RESOURCES.includes(type) && !['schemaField', 'tag'].includes(type)) {
      const known = ['dataPlatform', 'dataPlatformInstance', 'ownershipType', 'platformResource', 'versionSet']
      expectNamed(known.includes(type) || /^(dataHub|telemetry)/.test(type), urn, urn)
    }
    const references = (id: string | undefined, of: string, value: Json) => {
      for (const { tag } of value?.globalTags?.tags ?? []) {
        const name = entities.get(tag)?.get('tagProperties')?.name ?? decode(tag.slice('urn:li:tag:'.length))
        expectNamed(catalog.tags.get(id ?? '')?.includes(name.trim().toLowerCase()) ?? false, `${of}: tag ${tag}`, tag)
      }
      for (const { urn: term } of value?.glossaryTerms?.terms ?? [])
        expectNamed(catalog.terms.get(id ?? '')?.includes(catalog.byUrn.get(term) ?? '-') ?? false, `${of}: term ${term}`, term)
    }
    if (RESOURCES.includes(type)) {
      references(catalog.byUrn.get(urn), urn, Object.fromEntries(aspects))
      for (const { owner } of aspects.get('ownership')?.owners ?? []) expectNamed(false, `${urn}: owner ${owner}`, urn, owner)
    }
    if (!RESOURCES.includes(type) && type !== 'schemaField') {
      const { owners = [] } = aspects.get('ownership') ?? {}
      const { tags = [] } = aspects.get('globalTags') ?? {}
      const { terms = [] } = aspects.get('glossaryTerms') ?? {}
      for (const each of [...owners, ...tags, ...terms]) {
        const name = each.owner ?? each.tag ?? each.urn
        expectNamed(false, `${urn}: ${name}`, urn, name)
      }
    }
    for (const { schemaFieldUrn, schemaField } of aspects.get('inputFields')?.fields ?? []) {
      if (schemaFieldUrn.startsWith('urn:li:schemaField:(urn:li:dataset:'))
        references(columnId(schemaFieldUrn), schemaFieldUrn, schemaField)
      if (schemaFieldUrn.startsWith(`urn:li:schemaField:(${urn},`))
        expectNamed(columnId(schemaFieldUrn) !== undefined, schemaFieldUrn, schemaFieldUrn)
      else expectEdge(schemaFieldUrn, urn, urn)
    }
    for (const { destinationUrn } of aspects.get('dataProductProperties')?.assets ?? [])
      expectNamed(
        catalog.collections.get(catalog.byUrn.get(destinationUrn) ?? '')?.includes(catalog.byUrn.get(urn) ?? '-') ?? false,
        `${urn} has ${destinationUrn}`,
        destinationUrn,
      )
    for (const domain of aspects.get('domains')?.domains ?? [])
      expectNamed(
        catalog.collections.get(catalog.byUrn.get(urn) ?? columnId(urn) ?? '')?.includes(catalog.byUrn.get(domain) ?? '-') ?? false,
        `${urn} in ${domain}`,
        urn,
        domain,
      )
    if (type === 'schemaField') references(columnId(urn), urn, Object.fromEntries(aspects))
    const fields: Json[] = Array.isArray(aspects.get('schemaMetadata')?.fields) ? aspects.get('schemaMetadata').fields : []
    for (const field of [...fields, ...(aspects.get('editableSchemaMetadata')?.editableSchemaFieldInfo ?? [])]) {
      const id = catalog.byKey.get(buildItemKey(urn, ...parseFieldPath(field.fieldPath)))
      expectNamed(id !== undefined, `${urn} ${field.fieldPath}`, urn, parseFieldPath(field.fieldPath).join('.'))
      references(id, `${urn} ${field.fieldPath}`, field)
    }
    for (const { dataset } of aspects.get('upstreamLineage')?.upstreams ?? []) expectEdge(dataset, urn, dataset)
    const { inputs, inputEdges } = aspects.get('chartInfo') ?? {}
    for (const from of urns(inputs, inputEdges)) expectEdge(from, urn, from)
    const { charts, chartEdges, datasets, datasetEdges, dashboards } = aspects.get('dashboardInfo') ?? {}
    for (const from of urns(charts, chartEdges, datasets, datasetEdges, dashboards)) expectEdge(from, urn, from)
    const io = aspects.get('dataJobInputOutput') ?? {}
    const [from, to] = [
      urns(io.inputDatasets, io.inputDatasetEdges, io.inputDatajobs, io.inputDatajobEdges),
      urns(io.outputDatasets, io.outputDatasetEdges),
    ]
    for (const one of from.length > 0 ? from : [urn])
      for (const other of to.length > 0 ? to : [urn]) if (from.length + to.length > 0) expectEdge(one, other, one === urn ? other : one)
    for (const { upstreams, downstreams } of [
      ...(aspects.get('upstreamLineage')?.fineGrainedLineages ?? []),
      ...(io.fineGrainedLineages ?? []),
    ])
      for (const one of upstreams ?? [])
        for (const other of downstreams ?? []) expectEdge(one, one.startsWith('urn:li:dataset:') ? urn : other, urn)
  }
  return [...missing]
}

const urns = (...lists: Json[]): string[] =>
  lists.flatMap((list) => (list ?? []).map((each: Json) => each.destinationUrn ?? each.string ?? each))

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const collectEntities = (events: readonly Json[]): Map<string, Map<string, Json>> => {
  const entities = new Map<string, Map<string, Json>>()
  for (const { urn, aspect, change, value } of parseEvents(events).changes) {
    const aspects = entities.get(urn) ?? new Map()
    entities.set(urn, aspects)
    if (change === 'delete') aspects.delete(aspect)
    else aspects.set(aspect, change === 'patch' ? applyPatch(structuredClone(aspects.get(aspect)), value) : value)
  }
  return entities
}

const readLosses = async (app: TestApp, integration: string): Promise<string[]> => {
  const lines: string[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await app.call('GET', `/integration/integrations/${integration}/losses?page=${page}&page_size=1000`)
    lines.push(...body.results.map(({ line }: { line: string }) => line))
    if (!body.links.next) return lines
  }
}

const readCatalog = async (app: TestApp) => {
  const { rows } = await sql<{
    id: string
    key: string
    urn: string | null
    tags: string[]
    terms: string[] | null
    collections: string[] | null
  }>`
    select r.id, r.databuilder_id as key, coalesce(r.display_metadata ->> 'urn', r.display_metadata -> 'datahub' ->> 'urn') as urn, r.terms, r.collections,
      array(select lower(t.name) from tags t where t.id = any(r.tags)) as tags
    from resources r where r.integration is not null
  `.execute(app.db)
  const { rows: edges } = await sql<{ edge: string }>`select upstream || ' ' || downstream as edge from lineage_edges`.execute(app.db)
  return {
    byUrn: new Map(rows.flatMap(({ id, urn }) => (urn ? [[urn, id] as const] : []))),
    byKey: new Map(rows.map(({ id, key }) => [key, id])),
    tags: new Map(rows.map(({ id, tags }) => [id, tags])),
    terms: new Map(rows.map(({ id, terms }) => [id, terms ?? []])),
    collections: new Map(rows.map(({ id, collections }) => [id, collections ?? []])),
    edges: new Set(edges.map(({ edge }) => edge)),
  }
}
