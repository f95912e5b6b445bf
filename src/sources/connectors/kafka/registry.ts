import type { RunContext } from '../../../../connector/src/define.ts'
import type { HttpClient } from '../../../../connector/src/http.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { concernsWholeSource, createBiClient, isUnknownEndpoint } from '../bi/bi-client.ts'
import { loadOnce } from '../bi/listing.ts'
import type { SchemaField } from '../stores/fields.ts'
import { type AvroNames, readAvroSchema } from './avro.ts'
import { readJsonSchema } from './json-schema.ts'
import type { KafkaSettings } from './kafka-settings.ts'
import { readProtobufSchema } from './protobuf.ts'

/** The latest schema of a subject. */
export interface RegisteredSchema {
  readonly subject: string
  readonly version: number
  readonly id: number
  readonly type: string
  readonly root: SchemaField
}

/** The schema is registered, but it cannot be read. */
export class SchemaError extends Error {}

interface Version {
  readonly shape: Shape
  readonly type: string
  readonly text: string
}

const MAX_REFERENCES = 200
const PAGE_SIZE = 500
/** So many schemas must be needed of each page. */
const MIN_LISTED = 10
/** Limit of all schemas of the list together, which stay in memory until their topics are read. */
const MAX_LISTED_CHARACTERS = 64 * 1024 * 1024

/** Reads a schema registry with the REST API of Confluent's, which Karapace, Redpanda and Apicurio have too. */
export class SchemaRegistry {
  readonly #client: HttpClient
  readonly #log: RunContext['log']
  readonly #versions = new Map<string, Promise<Version>>()
  readonly #latest = new Map<string, Shape>()
  readonly #maxListed: number
  #listed = 0
  /** Subjects whose schemas did not fit into the limit: they are requested one by one. */
  readonly #unlisted = new Set<string>()

  constructor(context: RunContext<KafkaSettings>, url: string, maxListed = MAX_LISTED_CHARACTERS) {
    this.#maxListed = maxListed
    const { registry_user, registry_password = '' } = context.settings
    this.#log = context.log
    this.#client = createBiClient('The schema registry', url, context)
    this.#client.setHeader('accept', 'application/vnd.schemaregistry.v1+json, application/json')
    // Without it, Confluent Cloud does not say of what type a schema is.
    this.#client.setHeader('confluent-accept-unknown-properties', 'true')
    if (registry_user)
      this.#client.setHeader('authorization', `Basic ${Buffer.from(`${registry_user}:${registry_password}`).toString('base64')}`)
  }

  async listSubjects(): Promise<string[]> {
    const subjects = new Shape(await this.#client.get('/subjects'), 'GET /subjects')
    return subjects.items().map((subject) => (typeof subject.value === 'string' ? subject.value : subject.fail('text')))
  }

  /** Reads the latest schemas of these subjects a page at a time, if that takes fewer requests and the registry has such a list: not all do. */
  async prepareLatest(needed: ReadonlySet<string>, subjects: { readonly all: number }): Promise<void> {
    const pages = Math.ceil(subjects.all / PAGE_SIZE)
    if (needed.size < MIN_LISTED * pages) return
    try {
      await this.#listLatest(needed)
      const { size } = this.#unlisted
      if (size > 0) await this.#log(`Together, the latest schemas are too large: ${size.toLocaleString('en')} of them are read one by one.`)
    } catch (error) {
      if (concernsWholeSource(error)) throw error
      this.#latest.clear() // a later page may have had a later version
      const reason = isUnknownEndpoint(error)
        ? 'This schema registry does not list the latest schemas'
        : 'The latest schemas cannot be listed'
      await this.#log(`${reason}, so they are read one by one. That takes longer, and nothing is missing. (${(error as Error).message})`)
    }
  }

  /**
   * A registry may ignore any of the parameters. Without `latestOnly`, the versions of a subject are on any page, so pages are read until one has nothing
   * new, also after one that is not full: the registry may have a limit of its own.
   */
  async #listLatest(needed: ReadonlySet<string>): Promise<void> {
    const listed = new Set<string>()
    let offset = 0
    for (let page = 0; ; page += 1) {
      if (page * MIN_LISTED > needed.size + MIN_LISTED) throw new Error('The list has so many pages that this takes fewer requests.')
      const query = { latestOnly: 'true', offset, limit: PAGE_SIZE }
      const schemas = new Shape(await this.#client.get('/schemas', query), 'GET /schemas').items()
      const before = listed.size
      for (const schema of schemas) {
        const subject = schema.text('subject')
        listed.add(JSON.stringify([subject, schema.optionalInteger('version')]))
        if (needed.has(subject)) this.#addLatest(subject, schema)
      }
      if (schemas.length > PAGE_SIZE) return // it has no pages
      if (listed.size === before) {
        if (schemas.length === PAGE_SIZE) throw new Error('Every page of the list is the same.') // what comes after it is not known
        return
      }
      offset += schemas.length
    }
  }

  #addLatest(subject: string, schema: Shape): void {
    if (this.#unlisted.has(subject)) return
    const before = this.#latest.get(subject)
    if (before && schema.integer('version') <= before.integer('version')) return
    this.#listed += schema.text('schema').length - (before?.text('schema').length ?? 0)
    if (this.#listed <= this.#maxListed) this.#latest.set(subject, schema)
    else {
      // Deleted, because an earlier version would otherwise count as the latest.
      this.#latest.delete(subject)
      this.#unlisted.add(subject)
      this.#listed -= schema.text('schema').length
    }
  }

  async readLatest(subject: string): Promise<RegisteredSchema> {
    const listed = this.#latest.get(subject)
    this.#latest.delete(subject) // a subject belongs to one topic
    const { shape, type, text } = listed ? toVersion(listed) : await this.#load(subject, 'latest')
    const references = new Map<string, string>()
    await this.#collectReferences(shape, references)
    return { subject, version: shape.integer('version'), id: shape.integer('id'), type, root: parseSchema(subject, type, text, references) }
  }

  async #load(subject: string, version: string): Promise<Version> {
    const path = `/subjects/${encodeURIComponent(subject)}/versions/${version}`
    return toVersion(new Shape(await this.#client.get(path), `GET ${path}`))
  }

  /** What a schema refers to comes before it, by the name it has there. */
  async #collectReferences(shape: Shape, found: Map<string, string>): Promise<void> {
    for (const reference of shape.optionalList('references')) {
      const name = reference.text('name')
      if (found.has(name) || found.size >= MAX_REFERENCES) continue
      const [subject, version] = [reference.text('subject'), String(reference.integer('version'))]
      const loaded = await loadOnce(this.#versions, JSON.stringify([subject, version]), () => this.#load(subject, version))
      found.set(name, '') // ends a cycle
      await this.#collectReferences(loaded.shape, found)
      found.delete(name)
      found.set(name, loaded.text)
    }
  }
}

/** Avro is not named in the answer. */
const toVersion = (shape: Shape): Version => ({ shape, type: shape.optionalText('schemaType') ?? 'AVRO', text: shape.text('schema') })

const parseSchema = (subject: string, type: string, text: string, references: ReadonlyMap<string, string>): SchemaField => {
  try {
    if (type === 'PROTOBUF') return readProtobufSchema(text, references)
    if (type === 'JSON') return readJsonSchema(text, references)
    if (type !== 'AVRO') throw new Error(`Schemas of the type ${type} are not supported.`)
    const names: AvroNames = new Map()
    for (const referenced of references.values()) readAvroSchema(referenced, names)
    return readAvroSchema(text, names)
  } catch (error) {
    throw new SchemaError(`The schema of ${subject} cannot be read: ${(error as Error).message}`)
  }
}
