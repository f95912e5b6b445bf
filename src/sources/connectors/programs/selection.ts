import type { ItemMessage, UnchangedMessage } from '../../../../connector/src/protocol.ts'
import { isContainer, type Patterns } from '../shared/patterns.ts'

interface Known {
  /** Of containers: what is in them is matched by it. */
  readonly path: readonly string[]
  readonly state: 'container' | 'selected' | 'left_out'
}
const LEAVES = { selected: { path: [], state: 'selected' }, left_out: { path: [], state: 'left_out' } } as const

/**
 * Which items of a run are wanted: what is not a container is matched by the names from the outermost container down to it, and everything below it
 * follows. A container is passed on with the first item in it, so that no empty one is left.
 */
export class ItemSelection {
  readonly #patterns: Patterns
  readonly #known = new Map<string, Known>()
  readonly #waiting = new Map<string, ItemMessage>()

  constructor(patterns: Patterns) {
    this.#patterns = patterns
  }

  /** The items to pass on now, parents first. */
  select(message: ItemMessage): readonly ItemMessage[] {
    if (this.#patterns.all) return [message]
    const { key, parent } = message
    const above = parent === undefined ? undefined : this.#known.get(parent)
    const path = [...(above?.path ?? []), message.title]
    const state = this.#decide(message, above, path)
    this.#known.set(key, state === 'container' ? { path, state } : LEAVES[state])
    if (state === 'container') this.#waiting.set(key, message)
    return state === 'selected' ? [...this.#takeWaiting(parent), message] : []
  }

  /** An unchanged item was selected when it was reported. Returns its containers that were not passed on yet. */
  selectUnchanged({ key, parent }: UnchangedMessage): readonly ItemMessage[] {
    if (this.#patterns.all) return []
    this.#known.set(key, LEAVES.selected)
    return this.#takeWaiting(parent)
  }

  isLeftOut(key: string): boolean {
    return this.#known.get(key)?.state === 'left_out'
  }

  #decide({ entity_type }: ItemMessage, above: Known | undefined, path: readonly string[]): Known['state'] {
    if (above && above.state !== 'container') return above.state
    if (isContainer(entity_type)) return 'container'
    return this.#patterns.matches(...path) ? 'selected' : 'left_out'
  }

  #takeWaiting(key: string | undefined): ItemMessage[] {
    const message = key === undefined ? undefined : this.#waiting.get(key)
    if (!message) return []
    this.#waiting.delete(message.key)
    return [...this.#takeWaiting(message.parent), message]
  }
}
