import { createHash } from 'node:crypto'
import { isObject } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'

/** Which workspaces have to be scanned, and what the next run has to know to decide it. Pure. */

/** The API shows a change up to half an hour late; clocks differ. */
const OVERLAP_MS = 60 * 60_000
/** The limit of the API is 30 days. */
const MAX_GAP_MS = 29 * 86_400_000
/** Of the state, which is one message of at most 1 MB. Without it, the next run scans everything. */
const MAX_STATE_LENGTH = 900_000
const ID_LENGTH = 8

/** Shortened: workspaces are scanned together if IDs happen to be the same. */
const shorten = (id: string): string => createHash('sha256').update(id.toLowerCase()).digest('base64url').slice(0, ID_LENGTH)

/** IDs of the data sets and reports of a workspace, and of those of others that its reports and tiles show. */
interface Contents {
  readonly has: readonly string[]
  readonly uses: readonly string[]
}

interface State {
  readonly since: string
  readonly workspaces: Readonly<Record<string, Contents>>
}

const isState = (state: unknown): state is State => isObject(state) && typeof state.since === 'string' && isObject(state.workspaces)

export const readContents = (workspace: Shape): Contents => {
  const idOf = (object: Shape, name: string): string[] => {
    const id = object.optionalText(name)
    return id ? [shorten(id)] : []
  }
  const reports = workspace.optionalList('reports')
  const tiles = workspace.optionalList('dashboards').flatMap((dashboard) => dashboard.optionalList('tiles'))
  const has = new Set([...workspace.optionalList('datasets'), ...reports].flatMap((each) => idOf(each, 'id')))
  const shown = [...reports, ...tiles].flatMap((each) => [...idOf(each, 'datasetId'), ...idOf(each, 'reportId')])
  return { has: [...has], uses: [...new Set(shown)].filter((id) => !has.has(id)) }
}

/**
 * What has changed since the last run is scanned, and with it what it is connected with in either direction: reports show tables of data sets in other
 * workspaces, whose keys are only in a scan.
 */
export class WorkspaceChanges {
  readonly #startedAt = new Date()
  readonly #since: Date | undefined
  readonly #before: ReadonlyMap<string, Contents>
  readonly #scanned = new Map<string, Contents | undefined>()
  /** IDs in workspaces that may have other contents now. */
  readonly #changed = new Set<string>()
  #listed: ReadonlySet<string> = new Set()
  #fresh: ReadonlySet<string> = new Set()

  constructor(state: unknown) {
    const before = isState(state) ? Date.parse(state.since) : Number.NaN
    const age = this.#startedAt.getTime() - before
    // Negative if the clock was corrected since.
    const isKnown = age >= 0 && age + OVERLAP_MS < MAX_GAP_MS
    this.#since = isKnown ? new Date(before - OVERLAP_MS) : undefined
    this.#before = new Map(isKnown && isState(state) ? Object.entries(state.workspaces) : [])
  }

  /** From when changes have to be listed; undefined if everything has to be read. */
  get since(): string | undefined {
    return this.#since?.toISOString()
  }

  /** `fresh`: those of them that need not be scanned for a reason of their own. */
  setListed(listed: readonly string[], isFresh: (id: string) => boolean): void {
    this.#listed = new Set(listed)
    this.#fresh = new Set(listed.filter((id) => this.#before.has(id) && isFresh(id)))
    for (const [id, { has }] of this.#before) if (!this.#fresh.has(id)) for (const each of has) this.#changed.add(each)
  }

  /** What to scan next; empty when there is nothing more. */
  findNext(): string[] {
    const next = new Set([...this.#listed].filter((id) => !this.#fresh.has(id) && !this.#scanned.has(id)))
    const needed = new Set([...this.#scanned.values(), ...[...next].map((id) => this.#before.get(id))].flatMap((each) => each?.uses ?? []))
    for (let before = -1; before !== next.size; ) {
      before = next.size
      for (const id of this.#fresh) {
        const { has, uses } = this.#before.get(id)!
        if (next.has(id) || this.#scanned.has(id)) continue
        if (!uses.some((each) => this.#changed.has(each)) && !has.some((each) => needed.has(each))) continue
        next.add(id)
        for (const each of uses) needed.add(each)
      }
    }
    return [...next]
  }

  /** Without contents, it was not in the scan. */
  add(id: string, contents: Contents | undefined): void {
    this.#scanned.set(id, contents)
    if (!this.#fresh.has(id)) for (const each of contents?.has ?? []) this.#changed.add(each)
  }

  get unchanged(): string[] {
    return [...this.#fresh].filter((id) => !this.#scanned.has(id))
  }

  toState(): State | null {
    const known = [...this.#listed].flatMap((id) => {
      const contents = this.#scanned.has(id) ? this.#scanned.get(id) : this.#before.get(id)
      return contents ? [[id, contents] as const] : []
    })
    const state = { since: this.#startedAt.toISOString(), workspaces: Object.fromEntries(known) }
    return JSON.stringify(state).length > MAX_STATE_LENGTH ? null : state
  }
}
