import type { Aspect } from './change.ts'
import type { Entity } from './entities.ts'

const MIN_CACHED_LENGTH = 500 // characters
const MAX_PARSED = 100 // entities

/**
 * All entities of a pipeline, with their aspects as JSON text, because parsed aspects take several times as much memory. An aspect is parsed when it is
 * read, which happens a few times, mostly one entity after the other: the last entities are cached.
 */
export class EntityStore extends Map<string, Entity> {
  readonly #recent: RecentlyParsed = new Map()
  readonly #names = new Map<string, string>()

  add({ urn, entity_type, aspect, text, changed_at }: StoredAspect): void {
    const entity = (this.get(urn) ?? this.#create(urn, entity_type)) as StoredEntity
    entity.aspects.store(this.#intern(aspect), text)
    if (DATED_ASPECTS.has(aspect)) entity.changedAt.set(aspect, changed_at)
  }

  #create(urn: string, type: string): StoredEntity {
    const entity = { urn, type: this.#intern(type), aspects: new StoredAspects(this.#recent), changedAt: new Map<string, string>() }
    this.set(urn, entity)
    return entity
  }

  /** One string for equal names: each row of the database has a copy of its own. */
  #intern(name: string): string {
    const known = this.#names.get(name)
    if (known === undefined) this.#names.set(name, name)
    return known ?? name
  }
}

export interface StoredAspect {
  readonly urn: string
  readonly entity_type: string
  readonly aspect: string
  /** JSON. */
  readonly text: string
  readonly changed_at: string
}

interface StoredEntity extends Entity {
  readonly aspects: StoredAspects
  readonly changedAt: Map<string, string>
}

/** Aspects whose time of change is used. */
const DATED_ASPECTS = new Set(['deprecation', 'datasetDeprecation'])

type RecentlyParsed = Map<StoredAspects, Map<string, Aspect>>

class StoredAspects implements ReadonlyMap<string, Aspect> {
  readonly #values = new Map<string, string>()
  readonly #recent: RecentlyParsed

  constructor(recent: RecentlyParsed) {
    this.#recent = recent
  }

  store(name: string, text: string): void {
    this.#values.set(name, text)
  }

  get(name: string): Aspect | undefined {
    const text = this.#values.get(name)
    if (text === undefined) return undefined
    if (text.length < MIN_CACHED_LENGTH) return JSON.parse(text)
    const parsed = this.#getParsed()
    if (!parsed.has(name)) parsed.set(name, JSON.parse(text))
    return parsed.get(name)
  }

  #getParsed(): Map<string, Aspect> {
    const known = this.#recent.get(this)
    if (known) return known
    const [oldest] = this.#recent.size >= MAX_PARSED ? this.#recent.keys() : []
    if (oldest) this.#recent.delete(oldest)
    const parsed = new Map<string, Aspect>()
    this.#recent.set(this, parsed)
    return parsed
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  get size(): number {
    return this.#values.size
  }

  keys(): MapIterator<string> {
    return this.#values.keys()
  }

  *entries(): MapIterator<[string, Aspect]> {
    for (const name of this.#values.keys()) yield [name, this.get(name)]
  }

  *values(): MapIterator<Aspect> {
    for (const name of this.#values.keys()) yield this.get(name)
  }

  [Symbol.iterator](): MapIterator<[string, Aspect]> {
    return this.entries()
  }

  forEach(call: (value: Aspect, name: string, aspects: ReadonlyMap<string, Aspect>) => void): void {
    for (const [name, value] of this.entries()) call(value, name, this)
  }
}
