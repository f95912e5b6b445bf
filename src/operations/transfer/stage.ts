import type { Context } from '../../platform/context/context.ts'
import { ApiError, type FieldErrors } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { deleteImportLines, insertLines, MAX_ERRORS } from './import-line-rows.ts'
import { checkLine, isKnownField, type StagedLine } from './line.ts'
import type { ReadLine } from './read-jsonl.ts'
import { resolveNames } from './resolve-names.ts'
import { resolveProperties } from './resolve-properties.ts'

/** A file that was read completely and is ready to be imported. */
export interface StagedFile {
  readonly import_id: string
  readonly lines: number
  /** Unknown fields that are ignored. */
  readonly ignored_fields: readonly string[]
  /** The custom properties with a column in the file. */
  readonly property_ids: readonly string[]
}

const BATCH_LINES = 2000
const BATCH_CHARACTERS = 4 * 1024 * 1024
const MAX_IGNORED_FIELDS = 20

/** Reads a file into `import_lines`; while one batch is written, the next is read. If a line is invalid, all lines are deleted again. */
export const stageFile = async (ctx: Context, read: AsyncIterable<ReadLine>): Promise<StagedFile> => {
  const { db } = ctx
  const import_id = newId()
  const errors = new LineErrors()
  const ignored = new Set<string>()
  const properties = new Set<string>()
  let lines = 0
  let batch: StagedLine[] = []
  let size = 0
  let writing: Promise<void> = Promise.resolve()
  const write = async () => {
    await writing
    const named = await resolveNames(ctx, batch)
    const resolved = await resolveProperties(ctx, named.lines)
    for (const { line, errors: unknown } of [...named.errors, ...resolved.errors]) errors.add(line, unknown)
    for (const id of resolved.property_ids) properties.add(id)
    writing = insertLines(db, import_id, errors.any ? [] : resolved.lines)
    writing.catch(() => {}) // thrown with the next batch or at the end
    batch = []
    size = 0
  }
  try {
    for await (const { line, fields, errors: parseErrors } of read) {
      lines += 1
      const checked = fields ? checkLine(line, fields) : { errors: parseErrors ?? {} }
      if ('errors' in checked) errors.add(line, checked.errors)
      if (errors.full) break
      if ('errors' in checked || errors.any) continue
      for (const name of Object.keys(fields!)) if (ignored.size < MAX_IGNORED_FIELDS && !isKnownField(name)) ignored.add(name)
      batch.push(checked.staged)
      size += countCharacters(fields!)
      if (batch.length >= BATCH_LINES || size > BATCH_CHARACTERS) await write()
    }
    if (!errors.any && batch.length > 0) await write()
    errors.throwIfAny()
    if (lines === 0) throw new ApiError('validation_failed', translatable('The file is empty.'), { body: [translatable('is empty.')] })
    await writing
    return { import_id, lines, ignored_fields: [...ignored], property_ids: [...properties] }
  } catch (error) {
    await writing.catch(() => {})
    await deleteImportLines(db, import_id)
    throw error
  }
}

const countCharacters = (fields: Readonly<Record<string, unknown>>): number => {
  let weight = 0
  for (const value of Object.values(fields)) if (typeof value === 'string') weight += value.length
  return weight
}

/** The errors of a file, by line. */
export class LineErrors {
  readonly #errors: FieldErrors = {}
  #count = 0

  add(line: number, errors: FieldErrors): void {
    for (const [field, problems] of Object.entries(errors))
      for (const problem of problems) {
        this.#count += 1
        if (this.#count > MAX_ERRORS) return
        const name = `line ${line}`
        this.#errors[name] = [...(this.#errors[name] ?? []), field === 'line' ? problem : `${field}: ${problem}`]
      }
  }

  get any(): boolean {
    return this.#count > 0
  }

  /** Further errors would not be returned. */
  get full(): boolean {
    return this.#count > MAX_ERRORS
  }

  throwIfAny(): void {
    if (this.error) throw this.error
  }

  get error(): ApiError | undefined {
    if (!this.any) return undefined
    const [[line, [problem] = []] = []] = Object.entries(this.#errors)
    const limit = this.full ? ` Only the first ${MAX_ERRORS} errors are listed.` : ''
    return new ApiError('validation_failed', `${line}: ${problem} Nothing was imported.${limit}`, this.#errors)
  }
}
