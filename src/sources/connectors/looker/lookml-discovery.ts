import type { Discovered, RunContext } from '../../../../connector/src/define.ts'
import type { LineageSource } from '../../../../connector/src/protocol.ts'
import { type ExploreKeys, listDerivedFromExplores, listExploreItems, listExploreViews, listViewItems } from './lookml-items.ts'
import type { LookmlProject } from './lookml-project.ts'

const MAX_LINES = 100

interface Keys extends ExploreKeys {
  model(name: string): string
}

/** What the files of a project add to what the API of Looker returns. Explores have the same keys in both. */
export class LookmlDiscovery {
  readonly #project: LookmlProject
  readonly #keys: Keys
  readonly #log: RunContext['log']
  readonly #notes: Set<string>
  /** Models, explores and their fields that were reported, or that Looker hides. */
  readonly #known = new Set<string>()

  constructor(project: LookmlProject, keys: Keys, log: RunContext['log']) {
    this.#project = project
    this.#keys = keys
    this.#log = log
    this.#notes = new Set(project.notes)
  }

  async *readViews(): AsyncGenerator<Discovered, void> {
    const [problem] = this.#project.problems
    for (const each of this.#project.problems.slice(0, MAX_LINES)) await this.#log(`LookML: ${each}`)
    if (problem !== undefined)
      for (const entity_type of ['dashboard_group', 'table', 'column'])
        yield {
          type: 'unlisted',
          entity_type,
          reason: `LookML: ${problem} What is no longer found stays as it is until the file can be read.`,
        }
    yield* listViewItems(this.#project, (text) => this.#notes.add(text))
  }

  /** Looker has reported this, or hides it. */
  addKnown(...keys: readonly string[]): void {
    for (const key of keys) this.#known.add(key)
  }

  /** What flows from views of the files into the fields of an explore that Looker reported, and into which of them. */
  findSources(
    model: string,
    explore: string,
    fields: Iterable<string>,
  ): { readonly from: LineageSource[]; readonly covered: ReadonlySet<string> } {
    const known = this.#project.models.get(model)?.explores.get(explore)
    if (!known) return { from: [], covered: new Set() }
    return listExploreViews(this.#project, model, known, fields, (field) => this.#keys.field(model, explore, field))
  }

  /** Explores that Looker did not report, and what flows from explores into views. */
  async *readExplores(): AsyncGenerator<Discovered, void> {
    for (const model of this.#project.models.values()) {
      const parent = this.#keys.model(model.name)
      for (const explore of model.explores.values()) {
        const key = this.#keys.explore(model.name, explore.name)
        if (explore.isHidden || this.#known.has(key)) continue
        if (!this.#known.has(parent))
          yield { type: 'item', key: parent, entity_type: 'dashboard_group', native_type: 'LookML model', title: model.label ?? model.name }
        const items = [...listExploreItems(model, explore, { ...this.#keys, parent })]
        this.addKnown(parent, ...items.map((item) => item.key))
        yield* items
        const { from } = this.findSources(
          model.name,
          explore.name,
          items.slice(1).map(({ title }) => title),
        )
        if (from.length > 0) yield { type: 'lineage', to: key, from }
      }
    }
    yield* listDerivedFromExplores(this.#project, this.#known, this.#keys)
    const notes = [...this.#notes]
    for (const each of notes.slice(0, MAX_LINES)) await this.#log(`LookML: ${each}`)
    if (notes.length > MAX_LINES) await this.#log(`LookML: ${notes.length - MAX_LINES} more.`)
  }
}
