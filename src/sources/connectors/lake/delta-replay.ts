import { isObject } from '../../../../connector/src/protocol.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import { TableError } from './storage.ts'

const MAX_CHANGED_FILES = 300_000

/**
 * What the actions of a Delta log amount to. They are taken newest first: the first action about a file or the schema is the valid one, so that
 * only the files that changed since the checkpoint are in memory, not all files of the table.
 */
export class DeltaReplay {
  #metadata: Shape | undefined
  #protocol: Shape | undefined
  #changedAt: number | undefined
  readonly #changed = new Set<string>()
  #rows: number | undefined = 0
  #bytes: number | undefined = 0

  /** `where` names the file the action is in. */
  take(action: unknown, where: string, isCheckpoint = false): void {
    const shape = new Shape(action, where)
    if (!isObject(action)) shape.fail('an action')
    const [add, remove] = [shape.optionalObject('add'), shape.optionalObject('remove')]
    if (add) this.#add(add, isCheckpoint)
    if (remove && !isCheckpoint) this.#markChanged(identify(remove))
    this.#metadata ??= shape.optionalObject('metaData')
    this.#protocol ??= shape.optionalObject('protocol')
  }

  /** Only the newest commit says when the table changed. */
  takeCommitInfo(action: unknown): void {
    const info = isObject(action) ? action.commitInfo : undefined
    if (!isObject(info)) return
    const time = info.inCommitTimestamp ?? info.timestamp
    if (typeof time === 'number' && time > 0 && time < 8.64e15) this.#changedAt ??= time
  }

  /** More files changed than are kept in memory: what remains cannot be counted. */
  get isUncounted(): boolean {
    return this.#bytes === undefined
  }

  get rows(): number | undefined {
    return this.#rows
  }

  get bytes(): number | undefined {
    return this.#bytes
  }

  get changedAt(): string | undefined {
    return this.#changedAt === undefined ? undefined : new Date(this.#changedAt).toISOString()
  }

  get metadata(): Shape {
    if (!this.#metadata) throw new TableError('The log has no `metaData`.')
    return this.#metadata
  }

  get protocol(): Shape {
    if (!this.#protocol) throw new TableError('The log has no `protocol`.')
    return this.#protocol
  }

  #add(add: Shape, isCheckpoint: boolean): void {
    const file = identify(add)
    if (this.#changed.has(file)) return
    if (!isCheckpoint) this.#markChanged(file)
    if (this.#bytes === undefined) return
    this.#bytes += add.integer('size')
    const rows = countRows(add)
    if (rows === undefined) this.#rows = undefined
    else if (this.#rows !== undefined) this.#rows += rows
  }

  #markChanged(file: string): void {
    if (this.isUncounted) return
    this.#changed.add(file)
    if (this.#changed.size <= MAX_CHANGED_FILES) return
    this.#changed.clear()
    this.#rows = undefined
    this.#bytes = undefined
  }
}

/** A data file with another deletion vector is another one. */
const identify = (file: Shape): string => {
  const vector = file.optionalObject('deletionVector')
  if (!vector) return file.text('path')
  const { storageType, pathOrInlineDv, offset } = vector.value as Record<string, unknown>
  return `${file.text('path')}\n${storageType}${pathOrInlineDv}@${offset ?? ''}`
}

/** Rows that a deletion vector marks are deleted, although they are in the file. */
const countRows = (add: Shape): number | undefined => {
  const total = readNumber(parseStats(add.at('stats').value), 'numRecords') ?? readNumber(add.at('stats_parsed').value, 'numRecords')
  const vector = add.at('deletionVector')
  if (total === undefined || vector.missing) return total
  const deleted = readNumber(vector.value, 'cardinality')
  return deleted === undefined ? undefined : Math.max(0, total - deleted)
}

const parseStats = (stats: unknown): unknown => {
  try {
    return typeof stats === 'string' ? JSON.parse(stats) : undefined
  } catch {
    return undefined // statistics are optional, and so are readable ones
  }
}

const readNumber = (value: unknown, name: string): number | undefined =>
  isObject(value) && Number.isSafeInteger(value[name]) && Number(value[name]) >= 0 ? Number(value[name]) : undefined
