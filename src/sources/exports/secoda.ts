import { compact, EventWriter, type Json, toText, toUrnPart } from './event-writer.ts'
import { CONTAINER_TYPES, HAS_INPUTS, isColumn, isPlaced, nameOf, READ_FIELDS, toIds } from './secoda-records.ts'
import { CustomProperties, isReply, isText, TEXT_FIELDS, textOf, writeQuestion } from './secoda-texts.ts'

/**
 * Converts records of Secoda's public API to events: `resources.json` (the catalog, with columns), and optionally `users.json`, `groups.json`,
 * `tags.json`, `integrations.json`, `collections.json`, `documents.json`, `questions.json`, `custom_properties.json` and `lineage.json`. Pure.
 */
export const convertSecoda = (files: readonly { kind: string; records: readonly Json[] }[], name: string): EventWriter => {
  const writer = new EventWriter(name)
  const ofKind = (kind: string) => files.filter((file) => file.kind === kind).flatMap(({ records }) => records)
  const labels = (kind: string, ...fields: string[]) =>
    new Map(
      ofKind(kind).flatMap((record) =>
        toText(record.id) ? [[record.id as string, fields.map((field) => toText(record[field])).find(Boolean)] as const] : [],
      ),
    )
  const names: Names = {
    users: labels('users', 'email'),
    groups: labels('groups', 'name', 'title'),
    tags: labels('tags', 'name', 'title'),
    properties: new CustomProperties(ofKind('custom_properties')),
    integrations: new Map(ofKind('integrations').map(({ id, type, integration_type }) => [id, toText(type) ?? toText(integration_type)])),
  }
  const records = new Map(
    files
      .filter(({ kind }) => !['users', 'groups', 'tags', 'integrations', 'lineage', 'custom_properties'].includes(kind))
      .flatMap(({ kind, records }) => records.map((record) => ({ ...TYPES_OF_FILES.get(kind), ...record }) as Json))
      .map((record) => [String(record.id), record]),
  )
  new SecodaConverter(writer, records, names).convert(ofKind('lineage'))
  return writer
}

/** Of endpoints for records of one type. */
const TYPES_OF_FILES: ReadonlyMap<string, Json> = new Map([
  ['documents', { entity_type: 'document' }],
  ['questions', { entity_type: 'question' }],
  ['collections', { entity_type: 'collection' }],
])

interface Names {
  readonly properties: CustomProperties
  readonly users: ReadonlyMap<string, string | undefined>
  readonly groups: ReadonlyMap<string, string | undefined>
  readonly tags: ReadonlyMap<string, string | undefined>
  readonly integrations: ReadonlyMap<string, string | undefined>
}

class SecodaConverter {
  readonly #writer: EventWriter
  readonly #records: ReadonlyMap<string, Json>
  readonly #names: Names
  /** By question. */
  readonly #replies: ReadonlyMap<string, readonly Json[]>
  readonly #upstreams = new Map<string, Set<string>>()
  /** Edges that events express. */
  readonly #written = new Set<string>()

  constructor(writer: EventWriter, records: ReadonlyMap<string, Json>, names: Names) {
    this.#writer = writer
    this.#records = records
    this.#names = names
    this.#replies = Map.groupBy([...records.values()].filter(isReply), (reply) => this.#questionOf(reply)?.id ?? '')
  }

  convert(lineage: readonly Json[]): void {
    for (const entry of lineage) this.#readEdge(entry)
    const columns = Map.groupBy([...this.#records.values()].filter(isColumn), (column) => this.#tableOf(column)?.id ?? '')
    for (const column of columns.get('') ?? [])
      this.#writer.losses.add(`${column.title_full ?? column.title}: the table of this column is not in the export.`)
    for (const name of this.#names.properties.names.values())
      this.#writer.losses.add(`the definition of the custom property ${name}: its values arrive as facts of the resources.`)
    for (const reply of this.#replies.get('') ?? [])
      this.#writer.losses.add(`${nameOf(reply)}: the question of this answer is not in the export.`)
    const members = new Map<string, string[]>()
    for (const record of this.#records.values())
      for (const collection of record.collections ?? [])
        if (this.#urn(record).length > 0) members.set(collection, [...(members.get(collection) ?? []), ...this.#urn(record)])
        else this.#writer.losses.add(`${nameOf(record)}: its collection ${nameOf(this.#records.get(collection) ?? { id: collection })}.`)
    for (const record of this.#records.values())
      if (isReply(record)) this.#countReply(record)
      else if (!isColumn(record)) this.#convertRecord(record, columns.get(record.id) ?? [], members.get(record.id) ?? [])
    for (const [to, upstreams] of this.#upstreams)
      for (const from of upstreams) {
        const [one, other] = [from, to].map((id) => this.#records.get(id)!)
        if (!this.#written.has(`${from} ${to}`))
          this.#writer.losses.add(`lineage from ${nameOf(one!)} (${one!.entity_type}) to ${nameOf(other!)} (${other!.entity_type}).`)
      }
  }

  /** Columns may be nested in columns. */
  #tableOf(column: Json): Json | undefined {
    let above = this.#parentOf(column)
    for (let depth = 0; above && isColumn(above) && depth < 50; depth += 1) above = this.#parentOf(above)
    return above && !isColumn(above) ? above : undefined
  }

  /** Answers may answer answers. */
  #questionOf(reply: Json): Json | undefined {
    let above = this.#parentOf(reply)
    for (let depth = 0; above && isReply(above) && depth < 50; depth += 1) above = this.#parentOf(above)
    return above?.entity_type === 'question' ? above : undefined
  }

  #countReply(reply: Json): void {
    this.#writer.count(reply.entity_type)
    this.#writer.reportUnread(reply.entity_type, reply, READ_FIELDS)
    for (const tag of toIds(reply.tags))
      this.#writer.losses.add(`${nameOf(reply)}: the tag ${this.#names.tags.get(tag) ?? tag} of an answer.`)
  }

  #parentOf(record: Json): Json | undefined {
    return this.#records.get(toText(record.parent) ?? toText(record.parent_id) ?? toText(record.parent?.id) ?? '')
  }

  #urn(record: Json): string[] {
    const id = String(record.id)
    const platform = (
      toText(record.integration_type) ??
      this.#names.integrations.get(record.integration ?? record.integration_id) ??
      'secoda'
    ).toLowerCase()
    const job = this.#parentOf(record)
    switch (record.entity_type) {
      case 'database':
      case 'schema':
      case 'cluster':
      case 'dashboard_group':
        return [`urn:li:container:${id}`]
      case 'table':
      case 'event':
        return [`urn:li:dataset:(urn:li:dataPlatform:${platform},${toUrnPart(toText(record.title_full) ?? `${record.title}.${id}`)},PROD)`]
      case 'dashboard':
      case 'chart':
        return [`urn:li:${record.entity_type}:(${platform},${id})`]
      case 'job_group':
        return [`urn:li:dataFlow:(${platform},${id},PROD)`]
      case 'job':
        return [
          `urn:li:dataJob:(${job?.entity_type === 'job_group' ? this.#urn(job)[0] : `urn:li:dataFlow:(${platform},secoda,PROD)`},${id})`,
        ]
      case 'query':
        return [`urn:li:query:${id}`]
      case 'glossary':
        return [`urn:li:glossaryTerm:${id}`]
      case 'collection':
        return [`urn:li:dataProduct:${id}`]
      case 'document':
      case 'question':
        return [`urn:li:document:${id}`]
      default:
        return []
    }
  }

  #convertRecord(record: Json, columns: readonly Json[], members: readonly string[]): void {
    const [urn] = this.#urn(record)
    const { entity_type, title, description, definition, url } = record
    if (!urn) {
      this.#writer.losses.add(`${record.title_full ?? title ?? record.id}: there is no place for records of type ${entity_type}.`)
      return
    }
    this.#writer.count(entity_type)
    this.#writer.reportUnread(entity_type, record, isText(record) ? new Set([...READ_FIELDS, ...TEXT_FIELDS]) : READ_FIELDS)
    if (isText(record)) {
      this.#convertText(urn, record)
      return
    }
    const isSql = entity_type === 'query'
    const about = compact({
      ...{ name: title, description: toText(description) ?? (isSql ? undefined : definition), externalUrl: url },
      customProperties: compact({
        ...record.display_metadata,
        ...this.#names.properties.of(record),
        definition: toText(description) && !isSql ? definition : undefined,
      }),
    })
    const above = this.#parentOf(record)
    const [parent] = this.#parentOf(record) ? this.#urn(this.#parentOf(record)!) : []
    const inputs = [...(this.#upstreams.get(record.id) ?? [])].flatMap((id) => {
      const urns = this.#urn(this.#records.get(id)!)
      if (urns.length > 0 && HAS_INPUTS.has(entity_type)) this.#written.add(`${id} ${record.id}`)
      return urns
    })
    if (above && !isPlaced(entity_type, above.entity_type)) this.#writer.losses.add(`${nameOf(record)}: that it is in ${nameOf(above)}.`)
    if (parent?.startsWith('urn:li:container:')) this.#writer.add(urn, 'container', { container: parent })
    if (record.native_type || urn.startsWith('urn:li:container:'))
      this.#writer.add(urn, 'subTypes', { typeNames: [CONTAINER_TYPES.get(entity_type) ?? record.native_type] })
    const titled = { title, description: about.description ?? '', ...compact({ customProperties: about.customProperties }) }
    switch (entity_type) {
      case 'table':
      case 'event':
        this.#convertTable(urn, about, columns, inputs)
        this.#addNumbers(urn, record)
        break
      case 'dashboard': {
        const charts = [...this.#records.values()]
          .filter((each) => each.entity_type === 'chart' && this.#parentOf(each)?.id === record.id)
          .flatMap((each) => this.#urn(each))
        this.#writer.add(urn, 'dashboardInfo', { ...titled, dashboardUrl: url, charts, datasets: inputs })
        break
      }
      case 'chart':
        this.#writer.add(urn, 'chartInfo', { ...titled, chartUrl: url, inputs })
        break
      case 'job':
        this.#writer.add(urn, 'dataJobInfo', { ...about, type: 'JOB' })
        this.#writer.add(urn, 'dataJobInputOutput', { inputDatasets: inputs })
        break
      case 'job_group':
        this.#writer.add(urn, 'dataFlowInfo', about)
        break
      case 'query':
        this.#writer.add(urn, 'queryProperties', {
          ...{ name: title, statement: { value: definition ?? '', language: 'SQL' }, description },
          customProperties: about.customProperties,
        })
        break
      case 'glossary':
        this.#writer.add(
          urn,
          'glossaryTermInfo',
          compact({ name: title, definition: about.description, parentNode: parent, customProperties: about.customProperties }),
        )
        break
      case 'collection':
        this.#writer.add(urn, 'dataProductProperties', { ...about, assets: members.map((destinationUrn) => ({ destinationUrn })) })
        break
      default:
        this.#writer.add(urn, 'containerProperties', about)
    }
    this.#addReferences(urn, record)
  }

  /** Documents, and questions with their answers. */
  #convertText(urn: string, record: Json): void {
    const above = this.#parentOf(record)
    const isPage = above?.entity_type === 'document'
    const related = [this.#records.get(toText(record.base_entity_id) ?? ''), isPage ? undefined : above].filter(
      (each) => each !== undefined,
    )
    const about = [...new Set(related)]
    if (toText(record.base_entity_id) && !this.#records.has(record.base_entity_id))
      this.#writer.losses.add(`${nameOf(record)}: that it is about ${record.base_entity_id}, which is not in the export.`)
    const replies = this.#replies.get(record.id) ?? []
    const userOf = (id: unknown) => (toText(id) ? (this.#names.users.get(id as string) ?? id) : undefined)
    const text = record.entity_type === 'question' ? writeQuestion(record, replies, (reply) => this.#authorOf(reply)) : textOf(record)
    this.#writer.add(
      urn,
      'documentInfo',
      compact({
        ...{ title: record.title, contents: { text }, externalUrl: record.url },
        parentDocument: isPage ? { document: this.#urn(above!)[0] } : undefined,
        relatedAssets: about.flatMap((each) => this.#referTo(each)).map((asset) => ({ asset })),
        customProperties: compact({
          ...record.display_metadata,
          ...this.#names.properties.of(record),
          ...{ about: about.map(nameOf).join(', '), status: record.question_status, priority: record.question_priority },
          ...{ answered_by: userOf(record.question_answered_by), assigned_to: userOf(record.question_assigned_to) },
        }),
      }),
    )
    const kind = toText(record.native_type) ?? (record.entity_type === 'question' ? 'Question' : undefined)
    if (kind) this.#writer.add(urn, 'subTypes', { typeNames: [kind] })
    this.#addReferences(urn, record)
  }

  #authorOf(reply: Json): string | undefined {
    const [author] = toIds(reply.owners)
    return author ? (this.#names.users.get(author) ?? author) : undefined
  }

  #referTo(record: Json): string[] {
    if (!isColumn(record)) return this.#urn(record)
    const [table] = this.#urn(this.#tableOf(record) ?? {})
    return table ? [`urn:li:schemaField:(${table},${toUrnPart(this.#pathOf(record).join('.'))})`] : []
  }

  #convertTable(urn: string, about: Json, columns: readonly Json[], inputs: readonly string[]): void {
    this.#writer.add(urn, 'datasetProperties', about)
    this.#writer.count('column', columns.length)
    const fields = columns
      .toSorted((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0))
      .map((column) =>
        compact({
          fieldPath: this.#pathOf(column).join('.'),
          nativeDataType: column.native_type,
          description: column.description ?? column.definition,
          isPartOfKey: column.is_pk === true,
          globalTags: this.#toTags(column),
          customProperties: this.#names.properties.of(column),
        }),
      )
    if (fields.length > 0) this.#writer.add(urn, 'schemaMetadata', { fields })
    for (const column of columns) {
      this.#writer.reportUnread('column', column, READ_FIELDS)
      this.#addOwners(`urn:li:schemaField:(${urn},${toUrnPart(this.#pathOf(column).join('.'))})`, column)
    }
    const pairs = columns.flatMap((column) =>
      [...(this.#upstreams.get(column.id) ?? [])].flatMap((id) => {
        const from = this.#records.get(id)
        const [table] = from && isColumn(from) ? this.#urn(this.#tableOf(from) ?? {}) : []
        if (!table) return []
        this.#written.add(`${id} ${column.id}`)
        const path = (each: Json) => toUrnPart(this.#pathOf(each).join('.'))
        return [
          { upstreams: [`urn:li:schemaField:(${table},${path(from!)})`], downstreams: [`urn:li:schemaField:(${urn},${path(column)})`] },
        ]
      }),
    )
    if (inputs.length + pairs.length > 0)
      this.#writer.add(urn, 'upstreamLineage', {
        upstreams: inputs.map((dataset) => ({ dataset, type: 'TRANSFORMED' })),
        fineGrainedLineages: pairs,
      })
  }

  #addNumbers(urn: string, { row_count, byte_size, external_usage }: Json): void {
    const profile = compact({ rowCount: row_count, sizeInBytes: byte_size })
    if (Object.keys(profile).length > 0) this.#writer.add(urn, 'datasetProfile', { timestampMillis: 1, ...profile })
    if (external_usage > 0) this.#writer.add(urn, 'datasetUsageStatistics', { timestampMillis: 1, totalSqlQueries: external_usage })
  }

  #pathOf(column: Json): string[] {
    const above = this.#parentOf(column)
    return above && isColumn(above) ? [...this.#pathOf(above), String(column.title)] : [String(column.title)]
  }

  #addReferences(urn: string, record: Json): void {
    this.#addOwners(urn, record)
    const tags = this.#toTags(record)
    if (tags) this.#writer.add(urn, 'globalTags', tags)
  }

  #addOwners(urn: string, record: Json): void {
    const owners = [
      ...toIds(record.owners).map((id) => ({ owner: `urn:li:corpuser:${this.#names.users.get(id) ?? id}` })),
      ...toIds(record.owners_groups).map((id) => ({ owner: `urn:li:corpGroup:${this.#names.groups.get(id) ?? id}` })),
    ]
    if (owners.length > 0) this.#writer.add(urn, 'ownership', { owners })
  }

  #toTags(record: Json): { tags: { tag: string }[] } | undefined {
    const tags = toIds(record.tags).flatMap((id) => {
      const name = this.#names.tags.get(id)
      if (!name) this.#writer.losses.add(`${record.title_full ?? record.title}: the tag ${id}, whose name is not in the export.`)
      return name ? [{ tag: `urn:li:tag:${toUrnPart(name)}` }] : []
    })
    return tags.length > 0 ? { tags } : undefined
  }

  /** `from` is the upstream, unless the entry says that it describes the opposite direction. */
  #readEdge(entry: Json): void {
    const [from, to] = [entry.from_entity, entry.to_entity].map((end) => toText(end) ?? toText(end?.id) ?? '')
    const [upstream, downstream] = entry.direction === 'UPSTREAM' ? [to, from] : [from, to]
    const known = [upstream, downstream].every((id) => this.#records.has(id!))
    if (!known) {
      this.#writer.losses.add(`lineage from ${from} to ${to}, one of which is not in the export.`)
      return
    }
    if (!this.#upstreams.get(downstream!)?.has(upstream!)) this.#writer.count('lineage edge')
    this.#upstreams.set(downstream!, (this.#upstreams.get(downstream!) ?? new Set()).add(upstream!))
  }
}
