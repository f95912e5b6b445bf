import { compact, EventWriter, type Json, toRecords, toText, toUrnPart } from './event-writer.ts'
import { addMissingContainers, placeInContainer } from './openmetadata-containers.ts'
import { PRIMARY_KEY, toFields, toForeignKeys, toLabels } from './openmetadata-fields.ts'
import { collectUpstreams, toUpstreamLineage, type Upstreams } from './openmetadata-lineage.ts'
import { buildUrn, kindOf, READ_FIELDS, splitName, titleOf } from './openmetadata-names.ts'

/** Converts entities of OpenMetadata's API to events. Pure. */
export const convertOpenMetadata = (files: readonly { kind: string; records: readonly Json[] }[], name: string): EventWriter =>
  new OpenMetadataConverter(name).convert(files)

class OpenMetadataConverter {
  readonly #writer: EventWriter
  /** By the ID that references use. */
  readonly #urns = new Map<string, string>()
  readonly #emails = new Map<string, string>()
  readonly #assets = new Map<string, string[]>()
  readonly #lineage: Json[] = []
  /** Aspects to which lineage and members are added. */
  readonly #infos = new Map<string, { readonly aspect: string; readonly json: Json }>()

  constructor(name: string) {
    this.#writer = new EventWriter(name)
  }

  convert(files: readonly { kind: string; records: readonly Json[] }[]): EventWriter {
    const found = files.flatMap(({ kind, records }) => records.map((record) => ({ kind: kindOf(kind, record), record })))
    for (const { kind, record } of found) {
      if (kind === 'user' && toText(record.email)) this.#emails.set(record.id, record.email)
      const urn = kind ? buildUrn(kind, record) : undefined
      if (urn && toText(record.id)) this.#urns.set(record.id, urn)
    }
    for (const { kind, record } of found) {
      if (kind === 'lineage') this.#lineage.push(record)
      else this.#convertEntity(kind, record)
    }
    addMissingContainers(found, this.#writer)
    for (const [product, assets] of this.#assets)
      this.#extend(product, 'dataProductProperties', { assets: [...new Set(assets)].map((destinationUrn) => ({ destinationUrn })) })
    for (const [to, edges] of collectUpstreams(this.#lineage, this.#urns, this.#writer)) this.#addUpstreams(to, edges)
    for (const [urn, { aspect, json }] of this.#infos) this.#writer.add(urn, aspect, json)
    return this.#writer
  }

  #convertEntity(kind: string | undefined, record: Json): void {
    const title = toText(record.fullyQualifiedName) ?? toText(record.name) ?? String(record.id)
    const urn = kind ? buildUrn(kind, record) : undefined
    if (!kind || !urn) {
      this.#writer.losses.add(`${title}: ${kind ? `records of type ${kind}` : 'a record of an unknown type'}.`)
      return
    }
    if (record.deleted === true) {
      this.#writer.losses.add(`${title}: it was deleted.`)
      return
    }
    this.#writer.count(kind)
    this.#writer.reportUnread(kind, record, READ_FIELDS)
    CONVERTERS[kind]?.call(this, urn, record)
    if (!['user', 'team', 'tag', 'classification'].includes(kind)) this.#addCommon(urn, record)
  }

  /** What every kind of entity has. */
  #addCommon(urn: string, record: Json): void {
    this.#addReferences(urn, record)
    const domains = [...toRecords(record.domains), ...toRecords([record.domain])].flatMap(({ fullyQualifiedName, name }) => {
      const domain = toText(fullyQualifiedName) ?? toText(name)
      return domain ? [`urn:li:domain:${toUrnPart(domain)}`] : []
    })
    if (domains.length > 0) this.#writer.add(urn, 'domains', { domains })
    for (const { fullyQualifiedName, name } of toRecords(record.dataProducts)) {
      const product = `urn:li:dataProduct:${toUrnPart(toText(fullyQualifiedName) ?? String(name))}`
      this.#assets.set(product, [...(this.#assets.get(product) ?? []), urn])
    }
  }

  /** Owners, tags and terms. */
  #addReferences(urn: string, record: Json): void {
    const owners = [...toRecords(record.owners), ...toRecords([record.owner])].map((owner) => ({
      owner: this.#ownerUrn(owner),
      type: 'DATAOWNER',
    }))
    if (owners.length > 0) this.#writer.add(urn, 'ownership', { owners })
    for (const [aspect, labels] of Object.entries(toLabels(record.tags))) this.#writer.add(urn, aspect, labels)
  }

  #extend(urn: string, aspect: string, json: Json): void {
    this.#infos.set(urn, { aspect, json: { ...this.#infos.get(urn)?.json, ...json } })
  }

  #ownerUrn({ id, type, name, displayName }: Json): string {
    return type === 'team' ? `urn:li:corpGroup:${displayName ?? name}` : `urn:li:corpuser:${this.#emails.get(id) ?? name}`
  }

  #addUpstreams(to: string, edges: Upstreams): void {
    this.#writer.count('lineage edge', edges.size)
    const [from, known] = [[...edges.keys()], this.#infos.get(to)?.json]
    const title =
      known?.title ??
      to
        .slice(to.lastIndexOf(',') + 1, -1)
        .split('.')
        .at(-1)!
    if (!to.startsWith('urn:li:dataset:') && [...edges.values()].some((details) => toRecords(details?.columnsLineage).length > 0))
      this.#writer.losses.add(`column lineage into ${to}: only tables have columns.`)
    if (to.startsWith('urn:li:dataset:')) this.#writer.add(to, 'upstreamLineage', toUpstreamLineage(to, edges, this.#writer))
    else if (to.startsWith('urn:li:chart:')) this.#extend(to, 'chartInfo', { title, inputs: from })
    else if (to.startsWith('urn:li:dashboard:')) {
      const datasets = [...(known?.datasets ?? []), ...from.filter((each) => !known?.charts?.includes(each))]
      this.#extend(to, 'dashboardInfo', { title, datasets: [...new Set(datasets)] })
    } else
      for (const each of from)
        this.#writer.losses.add(`lineage from ${each} to ${to}, because only tables, charts and dashboards have upstreams in events.`)
  }

  convertContainer(urn: string, record: Json, subType: string): void {
    this.#writer.add(
      urn,
      'containerProperties',
      compact({
        name: titleOf(record),
        description: record.description,
        externalUrl: record.sourceUrl,
        customProperties: record.extension,
      }),
    )
    this.#writer.add(urn, 'subTypes', { typeNames: [subType] })
    placeInContainer(urn, record, this.#writer)
  }

  convertTable(urn: string, record: Json): void {
    const columns = toRecords(record.columns ?? record.messageSchema?.schemaFields ?? record.dataModel?.columns ?? record.fields)
    this.#writer.add(
      urn,
      'datasetProperties',
      compact({
        name: titleOf(record),
        description: record.description,
        externalUrl: record.sourceUrl,
        customProperties: record.extension,
      }),
    )
    this.#writer.add(urn, 'subTypes', { typeNames: [toText(record.tableType) ?? toText(record.dataModelType) ?? 'Table'] })
    const keys = new Set(
      toRecords(record.tableConstraints).flatMap(({ constraintType, columns }) => (constraintType === PRIMARY_KEY ? columns : [])),
    )
    const of = String(record.fullyQualifiedName)
    const fields = columns.flatMap((column) => toFields(column, [], keys, { writer: this.#writer, of }))
    const foreignKeys = toForeignKeys(urn, record.tableConstraints, this.#writer)
    this.#writer.count('column', fields.length)
    if (fields.length > 0) this.#writer.add(urn, 'schemaMetadata', { fields, ...(foreignKeys.length > 0 ? { foreignKeys } : {}) })
    if (record.parent)
      this.#writer.losses.add(`${of}: it is in ${record.parent.fullyQualifiedName ?? record.parent.name}, which contains no tables here.`)
    const sql = toText(record.schemaDefinition) ?? toText(record.sql)
    if (sql) this.#writer.add(urn, 'viewProperties', { viewLogic: sql, viewLanguage: 'SQL', materialized: false })
    const { rowCount, sizeInByte } = record.profile ?? {}
    if (rowCount !== undefined || sizeInByte !== undefined)
      this.#writer.add(urn, 'datasetProfile', { timestampMillis: 1, rowCount, sizeInBytes: sizeInByte })
    const { count } = record.usageSummary?.dailyStats ?? {}
    if (count > 0) this.#writer.add(urn, 'datasetUsageStatistics', { timestampMillis: 1, totalSqlQueries: count })
  }

  placeTable(urn: string, record: Json): void {
    placeInContainer(urn, record, this.#writer)
  }

  convertChart(urn: string, record: Json): void {
    this.#extend(
      urn,
      'chartInfo',
      compact({
        title: titleOf(record),
        description: record.description ?? '',
        chartUrl: record.sourceUrl ?? record.chartUrl,
        type: record.chartType,
        customProperties: record.extension,
      }),
    )
  }

  convertDashboard(urn: string, record: Json): void {
    const references = (list: unknown) => toRecords(list).flatMap(({ id }) => this.#urns.get(id) ?? [])
    const charts = references(record.charts)
    if (charts.length < toRecords(record.charts).length)
      this.#writer.losses.add(`${record.fullyQualifiedName}: charts that are not in the export.`)
    this.#extend(urn, 'dashboardInfo', {
      title: titleOf(record),
      description: record.description ?? '',
      dashboardUrl: record.sourceUrl ?? record.dashboardUrl,
      charts,
      datasets: references(record.dataModels),
      ...compact({ customProperties: record.extension }),
    })
  }

  convertPipeline(urn: string, record: Json): void {
    this.#writer.add(
      urn,
      'dataFlowInfo',
      compact({
        ...{ name: titleOf(record), description: record.description, externalUrl: record.sourceUrl ?? record.pipelineUrl },
        customProperties: record.extension,
      }),
    )
    const tasks = toRecords(record.tasks)
    this.#writer.count('task', tasks.length)
    const jobUrn = (name: string) => `urn:li:dataJob:(${urn},${toUrnPart(name)})`
    for (const task of tasks) {
      this.#writer.add(
        jobUrn(task.name),
        'dataJobInfo',
        compact({
          name: titleOf(task),
          description: task.description,
          externalUrl: task.sourceUrl,
          type: task.taskType ?? 'TASK',
          customProperties: compact({ sql: task.taskSQL }),
        }),
      )
      this.#writer.reportUnread('task', task, READ_TASK_FIELDS)
      this.#addReferences(jobUrn(task.name), task)
      const before = tasks.filter(({ downstreamTasks }) => Array.isArray(downstreamTasks) && downstreamTasks.includes(task.name))
      if (before.length > 0)
        this.#writer.add(jobUrn(task.name), 'dataJobInputOutput', { inputDatajobs: before.map(({ name }) => jobUrn(name)) })
    }
  }

  convertTerm(urn: string, record: Json): void {
    const info = urn.startsWith('urn:li:glossaryNode:') ? 'glossaryNodeInfo' : 'glossaryTermInfo'
    const parent = record.parent?.id ?? record.glossary?.id
    const about = { name: titleOf(record), definition: record.description, customProperties: record.extension }
    this.#writer.add(urn, info, compact({ ...about, parentNode: this.#urns.get(parent) }))
  }

  convertDomain(urn: string, record: Json): void {
    const parent = splitName(record.fullyQualifiedName ?? '').slice(0, -1)
    this.#writer.add(
      urn,
      'domainProperties',
      compact({
        name: titleOf(record),
        description: record.description,
        customProperties: record.extension,
        parentDomain: parent.length > 0 ? `urn:li:domain:${toUrnPart(parent.join('.'))}` : undefined,
      }),
    )
  }

  convertProduct(urn: string, record: Json): void {
    const assets = toRecords(record.assets).flatMap(({ id }) => this.#urns.get(id) ?? [])
    this.#assets.set(urn, [...(this.#assets.get(urn) ?? []), ...assets])
    this.#extend(
      urn,
      'dataProductProperties',
      compact({ name: titleOf(record), description: record.description, customProperties: record.extension }),
    )
  }

  convertTag(urn: string, record: Json): void {
    this.#writer.add(urn, 'tagProperties', compact({ name: record.fullyQualifiedName, description: record.description }))
  }

  convertUser(urn: string, record: Json): void {
    this.#writer.add(urn, 'corpUserInfo', compact({ active: true, email: record.email, displayName: record.displayName }))
  }

  convertTeam(urn: string, record: Json): void {
    this.#writer.add(urn, 'corpGroupInfo', { displayName: titleOf(record) })
  }

  convertQuery(urn: string, record: Json): void {
    this.#writer.add(
      urn,
      'queryProperties',
      compact({ statement: { value: record.query, language: 'SQL' }, name: record.displayName, description: record.description }),
    )
    const subjects = toRecords(record.queryUsedIn).flatMap(({ id }) => (this.#urns.has(id) ? [{ entity: this.#urns.get(id) }] : []))
    this.#writer.add(urn, 'querySubjects', { subjects })
  }

  convertTest(urn: string, record: Json): void {
    const [, table = ''] = /^<#E::table::(.*?)(?:::|>)/.exec(String(record.entityLink)) ?? []
    const dataset = [...this.#urns.values()].find((each) => each.startsWith('urn:li:dataset:') && each.includes(`,${toUrnPart(table)},`))
    const customAssertion = compact({ type: record.testDefinition?.name, entity: dataset, parameters: record.parameterValues })
    this.#writer.add(urn, 'assertionInfo', { type: 'CUSTOM', customAssertion, description: titleOf(record) })
    const { timestamp, testCaseStatus } = record.testCaseResult ?? {}
    if (testCaseStatus)
      this.#writer.add(urn, 'assertionRunEvent', {
        timestampMillis: timestamp,
        status: 'COMPLETE',
        result: { type: testCaseStatus === 'Success' ? 'SUCCESS' : 'FAILURE' },
        asserteeUrn: dataset,
      })
  }
}

const READ_TASK_FIELDS = new Set([
  ...['name', 'displayName', 'fullyQualifiedName', 'description', 'sourceUrl', 'taskType', 'taskSQL', 'downstreamTasks', 'tags', 'owners'],
])

const CONVERTERS: Readonly<Record<string, (this: OpenMetadataConverter, urn: string, record: Json) => void>> = {
  database(urn, record) {
    this.convertContainer(urn, record, 'Database')
  },
  databaseschema(urn, record) {
    this.convertContainer(urn, record, 'Schema')
  },
  table(urn, record) {
    this.convertTable(urn, record)
    this.placeTable(urn, record)
  },
  topic: OpenMetadataConverter.prototype.convertTable,
  container: OpenMetadataConverter.prototype.convertTable,
  searchindex: OpenMetadataConverter.prototype.convertTable,
  dashboarddatamodel: OpenMetadataConverter.prototype.convertTable,
  chart: OpenMetadataConverter.prototype.convertChart,
  dashboard: OpenMetadataConverter.prototype.convertDashboard,
  pipeline: OpenMetadataConverter.prototype.convertPipeline,
  glossary: OpenMetadataConverter.prototype.convertTerm,
  glossaryterm: OpenMetadataConverter.prototype.convertTerm,
  domain: OpenMetadataConverter.prototype.convertDomain,
  dataproduct: OpenMetadataConverter.prototype.convertProduct,
  tag: OpenMetadataConverter.prototype.convertTag,
  user: OpenMetadataConverter.prototype.convertUser,
  team: OpenMetadataConverter.prototype.convertTeam,
  query: OpenMetadataConverter.prototype.convertQuery,
  testcase: OpenMetadataConverter.prototype.convertTest,
}
