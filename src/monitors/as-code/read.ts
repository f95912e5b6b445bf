import { Compile } from 'typebox/compile'
import { isMap, isSeq, Lexer, LineCounter, parseDocument } from 'yaml'
import { type FieldErrors, invalid } from '../../errors.ts'
import { ConfigFile, DEFAULT_FILE, Item } from './schema.ts'

/** From the text of a file to its monitors, each with its line. Pure. What is wrong is said with the line it stands in. */
export interface Entry {
  readonly item: Item
  readonly line: number
  /** Where one of its fields stands. */
  readonly lineOf: (field: string) => number
}

export interface ReadFile {
  readonly file: string
  readonly entries: readonly Entry[]
}

const MOST_ERRORS = 50
const file = Compile(ConfigFile)
const item = Compile(Item)

/** Everything that is wrong, by line; throws when there is anything. */
export class Problems {
  readonly #lines = new Map<number, string[]>()

  add(line: number, problem: string): void {
    this.#lines.set(line, [...(this.#lines.get(line) ?? []), problem])
  }

  throwIfAny(): void {
    if (this.#lines.size === 0) return
    const sorted = [...this.#lines].sort(([a], [b]) => a - b)
    const errors: FieldErrors = Object.fromEntries(sorted.slice(0, MOST_ERRORS).map(([line, problems]) => [`line ${line}`, problems]))
    throw invalid(errors, `The file cannot be applied, and nothing was changed. Line ${sorted[0]![0]}: ${sorted[0]![1][0]}`)
  }
}

export const readFile = (text: string): ReadFile => {
  const lines = new LineCounter()
  const problems = new Problems()
  const document = parsed(text, lines)
  for (const { message, pos } of [...document.errors, ...document.warnings])
    problems.add(lines.linePos(pos[0]).line, message.replace(/ at line[\s\S]*$/, '.').split('\n')[0]!)
  problems.throwIfAny()
  // Postgres keeps neither NUL nor half a character; YAML can spell both.
  const value = plain(document)
  const lineAt = (...path: (string | number)[]): number => {
    const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined
    return node?.range ? lines.linePos(node.range[0]).line : 1
  }
  if (!isMap(document.contents)) problems.add(1, 'The file must begin with version: 1 and list its monitors.')
  else for (const error of file.Errors(value).filter(isForPeople)) problems.add(lineAt(...pathOf(error.instancePath)), wordsOf(error))
  problems.throwIfAny()
  const { file: name = DEFAULT_FILE, monitors } = value as { file?: string; monitors: unknown[] }
  const list = document.get('monitors', true)
  const entries = monitors.map((each, i): Entry => {
    const line = isSeq(list) ? lineAt('monitors', i) : 1
    for (const error of item.Errors(each).filter(isForPeople)) {
      const path = pathOf(error.instancePath)
      problems.add(path.length > 0 ? lineAt('monitors', i, ...path) : line, wordsOf(error))
    }
    return {
      item: each as Item,
      line,
      lineOf: (field) =>
        isMap(document.getIn(['monitors', i])) && document.hasIn(['monitors', i, field]) ? lineAt('monitors', i, field) : line,
    }
  })
  problems.throwIfAny()
  mustDiffer(entries, problems)
  return { file: name, entries }
}

/** No aliases (a few lines of them unfold to gigabytes), no tags of its own, no key twice. */
const parsed = (text: string, lineCounter: LineCounter) => {
  mustBeShallow(text)
  try {
    return parseDocument(text, { lineCounter, schema: 'core', version: '1.2', uniqueKeys: true, strict: true, prettyErrors: false })
  } catch (error) {
    throw tooDeep(error)
  }
}

const DEEPEST = 64

/** Before anything is built: the parser takes seconds for what is nested thousands deep. */
const mustBeShallow = (text: string): void => {
  let depth = 0 // of brackets
  let inLine = 0 // of lists and keys that begin in one line: `- - - x`
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    else if (token === '-' || token === '?') inLine += 1
    else if (token.includes('\n')) inLine = 0
    if (depth > DEEPEST || inLine > DEEPEST) throw invalid({ file: [`is nested more than ${DEEPEST} deep.`] })
  }
}

const plain = (document: ReturnType<typeof parseDocument>): unknown => {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    const text = JSON.stringify(value) ?? ''
    if (/\\u(0000|[dD][89a-fA-F])/.test(text)) throw invalid({ file: ['holds a NUL character or half of a surrogate pair.'] })
    return value
  } catch (error) {
    if (error instanceof ReferenceError) throw invalid({ file: ['Aliases (*name) are not read here: write it out.'] })
    throw tooDeep(error)
  }
}

const tooDeep = (error: unknown): unknown => (error instanceof RangeError ? invalid({ file: ['is nested too deep.'] }) : error)

interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly message: string
  readonly params: unknown
}

const pathOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part.replaceAll('~1', '/').replaceAll('~0', '~')))

/** A field that is not known is reported twice: by its object, and by itself as what no schema allows. The first says all. */
const isForPeople = ({ keyword }: SchemaError): boolean => keyword !== 'boolean'

const wordsOf = ({ instancePath, keyword, message, params }: SchemaError): string => {
  const field = pathOf(instancePath).at(-1)
  const { requiredProperties, additionalProperties, allowedValues } = params as Record<string, string[] | undefined>
  if (keyword === 'required') return `${(requiredProperties ?? []).join(', ')} ${requiredProperties?.length === 1 ? 'is' : 'are'} missing.`
  if (keyword === 'additionalProperties') return `${(additionalProperties ?? []).join(', ')} is not known here.`
  if (keyword === 'enum') return `${field} must be one of ${(allowedValues ?? []).join(', ')}.`
  return `${field ?? 'The file'} ${message}.`
}

/** A monitor is known by its name and its target: twice the same would be one. */
const mustDiffer = (entries: readonly Entry[], problems: Problems): void => {
  const seen = new Map<string, number>()
  for (const { item, line } of entries) {
    const key = JSON.stringify([item.integration ?? null, item.target, item.name.trim()])
    const before = seen.get(key)
    if (before !== undefined) problems.add(line, `${item.name} of ${item.target} stands in line ${before} already.`)
    else seen.set(key, line)
  }
  problems.throwIfAny()
}
