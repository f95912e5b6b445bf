import { findSubject, isCoveredBy, isUnder } from './key-scope.ts'
import type { Command, Message } from './messages.ts'
import { ProtocolError } from './parse-message.ts'

/** Types whose lineage can be read from a query. */
const QUERY_TYPES: readonly string[] = ['table', 'chart', 'query']

/** Answers to a statement. */
const SESSION_TYPES: readonly string[] = ['ready', 'columns', 'rows', 'end', 'failed']

/** Follows one run: keys are unique, parents come first, lineage names known items, and the end counts the items. */
export class RunChecker {
  readonly #versions: Command['versions']
  readonly #keys = new Set<string>()
  readonly #unchanged = new Set<string>()
  readonly #withQuery = new Set<string>()
  readonly #withLineage = new Set<string>()
  readonly #withFlows = new Set<string>()
  /** The contiguous item that is being reported, and those that are complete. */
  #open: string | undefined
  readonly #closed = new Set<string>()
  #items = 0

  constructor({ versions }: Pick<Command, 'versions'> = {}) {
    this.#versions = versions
  }

  check(message: Message, number: number): void {
    const problem = this.#findProblem(message)
    if (problem) throw new ProtocolError(`Message ${number} (${message.type}): ${problem}.`)
  }

  #findProblem(message: Message): string | undefined {
    if (SESSION_TYPES.includes(message.type)) return 'belongs to the command `query`'
    const late = this.#findLate(message)
    if (late !== undefined) return `${late} must come right after an item that is \`contiguous\``
    if (message.type === 'unchanged') {
      if (!Object.hasOwn(this.#versions ?? {}, message.key)) return `\`key\` ${message.key} is not in the \`versions\` of the command`
      if (this.#keys.has(message.key)) return `\`key\` ${message.key} was reported before`
      if (message.parent !== undefined && !this.#keys.has(message.parent)) return `\`parent\` ${message.parent} must be reported first`
      this.#keys.add(message.key)
      this.#unchanged.add(message.key)
    }
    if (message.type === 'item') {
      if (this.#keys.has(message.key)) return `\`key\` ${message.key} was reported before`
      if (message.parent !== undefined && !this.#keys.has(message.parent)) return `\`parent\` ${message.parent} must be reported first`
      if (message.query && !QUERY_TYPES.includes(message.entity_type)) return `\`query\` is only for ${QUERY_TYPES.join(', ')}`
      this.#keys.add(message.key)
      if (message.query) this.#withQuery.add(message.key)
      this.#items += 1
    }
    if (message.type === 'lineage') {
      if (!this.#keys.has(message.to)) return `\`to\` ${message.to} must be reported first`
      if (this.#unchanged.has(message.to)) return `\`to\` ${message.to} is unchanged, so that its lineage stays`
      if (this.#withQuery.has(message.to)) return `\`to\` ${message.to} has a query, from which its lineage is read`
      if (this.#withFlows.has(message.to)) return `\`to\` ${message.to} has flows`
      this.#withLineage.add(message.to)
    }
    if (message.type === 'flow') {
      if (!this.#keys.has(message.job)) return `\`job\` ${message.job} must be reported first`
      if (this.#unchanged.has(message.job)) return `\`job\` ${message.job} is unchanged, so that its lineage stays`
      if (this.#withLineage.has(message.job) || this.#withQuery.has(message.job)) return `\`job\` ${message.job} has lineage of its own`
      if (message.from.length + message.to.length === 0) return '`from` and `to` are empty'
      if (message.columns && (message.from.length !== 1 || message.to.length !== 1)) return '`columns` need one source and one target'
      this.#withFlows.add(message.job)
    }
    if (message.type === 'done' && message.items !== undefined && message.items !== this.#items)
      return `\`items\` is ${message.items}, but ${this.#items} were reported`
    return undefined
  }

  /** What the message is about, if it belongs to a contiguous item that something else has followed. */
  #findLate(message: Message): string | undefined {
    const subject = findSubject(message)
    if (subject === undefined) return undefined
    if (this.#open !== undefined && !isUnder(subject, this.#open)) {
      this.#closed.add(this.#open)
      this.#open = undefined
    }
    if (this.#closed.size > 0 && isCoveredBy(subject, this.#closed)) return subject
    if (message.type === 'item' && message.contiguous) this.#open ??= subject
    return undefined
  }
}
