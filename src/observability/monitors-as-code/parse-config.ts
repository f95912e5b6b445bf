import type { ErrorObject } from 'ajv'
import { isMap, isSeq, Lexer, LineCounter, parseDocument } from 'yaml'
import { type FieldErrors, invalid } from '../../platform/core/errors.ts'
import { SchemaCompiler } from '../../platform/core/schema-compiler.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { ConfigFile, DEFAULT_FILE, Item } from './schema.ts'

/** Parses a file into its monitors with their line numbers. Errors include the line. Pure. */
export interface ConfigEntry {
  readonly item: Item
  readonly line: number
  /** Line of one of its fields. */
  readonly lineOf: (field: string) => number
}

export interface ParsedConfig {
  readonly file: string
  readonly entries: readonly ConfigEntry[]
}

const MAX_ERRORS = 50
const compiler = new SchemaCompiler({ allErrors: true })

/** Of a value that may be null, only what is wrong with it otherwise. */
const findSchemaErrors = (schema: object, value: unknown): ErrorObject[] => {
  const check = compiler.compile(schema)
  return check(value)
    ? []
    : check.errors!.filter(({ keyword, params }) => keyword !== 'anyOf' && !(keyword === 'type' && params.type === 'null'))
}

/** Collects all errors by line, so that they can be reported together. */
export class ConfigProblems {
  readonly #lines = new Map<number, string[]>()

  add(line: number, problem: string): void {
    this.#lines.set(line, [...(this.#lines.get(line) ?? []), problem])
  }

  throwIfAny(): void {
    if (this.#lines.size === 0) return
    const sorted = [...this.#lines].sort(([a], [b]) => a - b)
    const errors: FieldErrors = Object.fromEntries(sorted.slice(0, MAX_ERRORS).map(([line, problems]) => [`line ${line}`, problems]))
    throw invalid(
      errors,
      translatable('The file is invalid and nothing was changed. Line {line}: {problem}', {
        line: sorted[0]![0],
        problem: sorted[0]![1][0]!,
      }),
    )
  }
}

export const parseConfig = (text: string): ParsedConfig => {
  const lines = new LineCounter()
  const problems = new ConfigProblems()
  const document = parseYaml(text, lines)
  for (const { message, pos } of [...document.errors, ...document.warnings])
    problems.add(lines.linePos(pos[0]).line, message.replace(/ at line[\s\S]*$/, '.').split('\n')[0]!)
  problems.throwIfAny()
  const value = toPlainValue(document)
  const lineAt = (...path: (string | number)[]): number => {
    const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined
    return node?.range ? lines.linePos(node.range[0]).line : 1
  }
  if (!isMap(document.contents)) problems.add(1, 'The file must start with "version: 1" and contain a list of monitors.')
  else
    for (const error of findSchemaErrors(ConfigFile, value))
      problems.add(lineAt(...parsePointer(error.instancePath)), describeSchemaError(error))
  problems.throwIfAny()
  const { file: name = DEFAULT_FILE, monitors } = value as { file?: string; monitors: unknown[] }
  const list = document.get('monitors', true)
  const entries = monitors.map((each, i): ConfigEntry => {
    const line = isSeq(list) ? lineAt('monitors', i) : 1
    for (const error of findSchemaErrors(Item, each)) {
      const path = parsePointer(error.instancePath)
      problems.add(path.length > 0 ? lineAt('monitors', i, ...path) : line, describeSchemaError(error))
    }
    return {
      item: each as Item,
      line,
      lineOf: (field) =>
        isMap(document.getIn(['monitors', i])) && document.hasIn(['monitors', i, field]) ? lineAt('monitors', i, field) : line,
    }
  })
  problems.throwIfAny()
  assertUnique(entries, problems)
  return { file: name, entries }
}

/** Rejects custom tags and duplicate keys. Aliases are rejected later: a few lines of them can expand to gigabytes. */
const parseYaml = (text: string, lineCounter: LineCounter) => {
  assertShallow(text)
  try {
    return parseDocument(text, { lineCounter, schema: 'core', version: '1.2', uniqueKeys: true, strict: true, prettyErrors: false })
  } catch (error) {
    throw toDepthError(error)
  }
}

const MAX_DEPTH = 64

/** Checked before parsing: the parser takes seconds for input that is nested thousands of levels deep. */
const assertShallow = (text: string): void => {
  let depth = 0 // of brackets and braces
  let inLine = 0 // of lists and keys that start on one line: `- - - x`
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    else if (token === '-' || token === '?') inLine += 1
    else if (token.includes('\n')) inLine = 0
    if (depth > MAX_DEPTH || inLine > MAX_DEPTH) throw invalid({ file: [`is nested more than ${MAX_DEPTH} levels deep.`] })
  }
}

const toPlainValue = (document: ReturnType<typeof parseDocument>): unknown => {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    const text = JSON.stringify(value) ?? ''
    // YAML can escape both, but Postgres cannot store them.
    if (/\\u(0000|[dD][89a-fA-F])/.test(text)) throw invalid({ file: ['contains a NUL character or an unpaired surrogate.'] })
    return value
  } catch (error) {
    if (error instanceof ReferenceError)
      throw invalid({ file: [translatable('YAML aliases (*name) are not supported. Repeat the value instead.')] })
    throw toDepthError(error)
  }
}

const toDepthError = (error: unknown): unknown => (error instanceof RangeError ? invalid({ file: ['is nested too deeply.'] }) : error)

const parsePointer = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))

const describeSchemaError = ({ instancePath, keyword, message, params }: ErrorObject): string => {
  const field = parsePointer(instancePath).at(-1)
  if (keyword === 'required') return `${params.missingProperty} is missing.`
  if (keyword === 'additionalProperties') return `${params.additionalProperty} is not a known field.`
  if (keyword === 'enum') return `${field} must be one of ${params.allowedValues.join(', ')}.`
  if (keyword === 'const') return `${field} must be ${JSON.stringify(params.allowedValue)}.`
  return `${field ?? 'The file'} ${message}.`
}

/** A monitor is identified by its name and its target, so the combination must be unique in a file. */
const assertUnique = (entries: readonly ConfigEntry[], problems: ConfigProblems): void => {
  const seen = new Map<string, number>()
  for (const { item, line } of entries) {
    const key = JSON.stringify([item.integration ?? null, item.target, item.name.trim()])
    const before = seen.get(key)
    if (before !== undefined) problems.add(line, `Duplicate monitor: ${item.name} of ${item.target} is already defined in line ${before}.`)
    else seen.set(key, line)
  }
  problems.throwIfAny()
}
