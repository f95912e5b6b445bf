import { posix } from 'node:path'
import type { LookmlBlock } from './parse-lookml.ts'

/** What a model includes, with refinements applied and extended views and explores filled in. Pure. */
export interface ModelScope {
  readonly name: string
  readonly model: LookmlBlock
  /** By name, with the file of their definition. */
  readonly views: ReadonlyMap<string, Defined>
  readonly explores: ReadonlyMap<string, Defined>
}

export interface Defined {
  readonly file: string
  readonly block: LookmlBlock
}

export type Note = (text: string) => void

const MODEL = /(?:^|\/)([^/]+)\.model\.lkml$/
const MAX_EXTENDS = 100
const MAX_STARS = 8
/** Patterns with a star, each of which is compared with every file. */
const MAX_PATTERNS = 1000
const EXTENSION = '.lkml'

export const buildScopes = (files: ReadonlyMap<string, LookmlBlock>, note: Note): ModelScope[] => {
  const includes = new IncludedFiles(files, note)
  return [...files].flatMap(([path, model]) => {
    const name = MODEL.exec(path)?.[1]
    if (name === undefined) return []
    const included = includes.list(path)
    const [views, explores] = (['view', 'explore'] as const).map((kind) => new Definitions(kind, files, included, note).resolveAll())
    return [{ name, model, views: views!, explores: explores! }]
  })
}

class IncludedFiles {
  readonly #files: ReadonlyMap<string, LookmlBlock>
  readonly #note: Note
  readonly #matches = new Map<string, readonly string[]>()
  #patterns = 0

  constructor(files: ReadonlyMap<string, LookmlBlock>, note: Note) {
    this.#files = files
    this.#note = note
  }

  /** A file and all that it includes, in the order in which refinements apply: what is included comes first. */
  list(path: string): string[] {
    const visited = new Set([path]) // ends a cycle
    const visit = (file: string): string[] => [
      ...(this.#files.get(file)?.values.get('include') ?? [])
        .flatMap((pattern) => this.#match(file, pattern))
        .flatMap((found) => {
          if (visited.has(found)) return []
          visited.add(found)
          return visit(found)
        }),
      file,
    ]
    return visit(path)
  }

  /** Patterns without a slash in front are relative to the file, in older projects to the project. */
  #match(file: string, pattern: string): readonly string[] {
    const folder = posix.dirname(file)
    const key = `${folder}\n${pattern}`
    const known = this.#matches.get(key)
    if (known) return known
    const found = this.#find(folder, pattern)
    this.#matches.set(key, found)
    if (found.length === 0 && !/\.dashboard\b/.test(pattern)) this.#note(`${file} includes ${pattern}, which is no file of the project.`)
    return found
  }

  #find(folder: string, pattern: string): readonly string[] {
    if (pattern.startsWith('//') || pattern.split('*').length > MAX_STARS) return [] // of another project
    const paths = pattern.startsWith('/') ? [pattern.slice(1)] : [posix.join(folder, pattern), pattern]
    for (const path of paths) {
      const found = path.includes('*') ? this.#findMatching(path) : [path, `${path}.lkml`].filter((each) => this.#files.has(each))
      if (found.length > 0) return found
    }
    return []
  }

  #findMatching(pattern: string): string[] {
    this.#patterns += 1
    if (this.#patterns === MAX_PATTERNS + 1) this.#note(`The project includes more than ${MAX_PATTERNS} patterns: the others are left out.`)
    if (this.#patterns > MAX_PATTERNS) return []
    const glob = toGlob(pattern)
    return [...this.#files.keys()].filter(
      (path) => matchesGlob(glob, path) || (path.endsWith(EXTENSION) && matchesGlob(glob, path.slice(0, -EXTENSION.length))),
    )
  }
}

// Texts and stars: `*` is anything in one folder, `**` also in those below, `**/` any folders or none.
const toGlob = (pattern: string): string[] => pattern.split(/(\*\*\/|\*\*|\*)/).filter((part) => part !== '')

/**
 * Not a regular expression, which tries all combinations of several stars. `ends` are the places in the path up to which the parts so far can match, so the
 * time is at most the product of the two lengths.
 */
const matchesGlob = (glob: readonly string[], path: string): boolean => {
  let ends = new Set([0])
  for (const part of glob) {
    const next = new Set<number>()
    if (part === '*' || part === '**') {
      for (const from of ends)
        for (let at = from; !next.has(at); at += 1) {
          next.add(at)
          if (at === path.length || (part === '*' && path[at] === '/')) break
        }
    } else if (part === '**/') {
      for (const from of ends) next.add(from)
      for (let at = Math.min(...ends); at < path.length; at += 1) if (path[at] === '/') next.add(at + 1)
    } else for (const from of ends) if (path.startsWith(part, from)) next.add(from + part.length)
    if (next.size === 0) return false
    ends = next
  }
  return ends.has(path.length)
}

/** The views, or explores, of the files that a model includes. */
class Definitions {
  readonly #kind: string
  readonly #note: Note
  readonly #defined = new Map<string, Defined>()
  readonly #resolved = new Map<string, LookmlBlock>()

  constructor(kind: 'view' | 'explore', files: ReadonlyMap<string, LookmlBlock>, included: readonly string[], note: Note) {
    this.#kind = kind
    this.#note = note
    const all = included.flatMap((file) =>
      files
        .get(file)!
        .blocks.filter(({ key }) => key === kind)
        .map((block) => ({ file, block })),
    )
    for (const { file, block } of all.filter((each) => !each.block.name.startsWith('+'))) {
      const first = this.#defined.get(block.name)
      if (!first) this.#defined.set(block.name, { file, block })
      else if (first.file !== file)
        note(`${file}: ${kind} ${block.name} is ignored, because the same model includes that of ${first.file}.`)
    }
    for (const { file, block } of all.filter((each) => each.block.name.startsWith('+'))) {
      const name = block.name.slice(1)
      const refined = this.#defined.get(name)
      if (refined) this.#defined.set(name, { file: refined.file, block: mergeBlocks(refined.block, block) })
      else note(`${file} refines the ${kind} ${name}, which no file defines that its model includes.`)
    }
  }

  resolveAll(): Map<string, Defined> {
    return new Map([...this.#defined].map(([name, { file }]) => [name, { file, block: this.#resolve(name, new Set()) }]))
  }

  #resolve(name: string, visiting: Set<string>): LookmlBlock {
    const known = this.#resolved.get(name)
    if (known) return known
    const { file, block } = this.#defined.get(name)!
    visiting.add(name)
    const parents = (block.values.get('extends') ?? []).flatMap((parent) => {
      if (!this.#defined.has(parent)) this.#note(`${file}: ${this.#kind} ${name} extends ${parent}, which its model does not include.`)
      else if (visiting.has(parent) || visiting.size > MAX_EXTENDS)
        this.#note(`${file}: ${this.#kind} ${name} extends itself by ${parent}.`)
      else return [this.#resolve(parent, visiting)]
      return []
    })
    visiting.delete(name)
    const whole = [...parents.map(toParent), block].reduce(mergeBlocks)
    const resolved = { ...whole, name }
    this.#resolved.set(name, resolved)
    return resolved
  }
}

/** What is about the extended view or explore itself is not passed on. */
const toParent = (block: LookmlBlock): LookmlBlock => ({
  ...block,
  values: new Map([...block.values].filter(([key]) => key !== 'extends' && key !== 'extension')),
})

/** Parameters of the second replace those of the first, also inside of their fields. */
const mergeBlocks = (base: LookmlBlock, over: LookmlBlock): LookmlBlock => {
  const values = new Map([...base.values, ...over.values])
  const parents = [...(base.values.get('extends') ?? []), ...(over.values.get('extends') ?? [])]
  if (parents.length > 0) values.set('extends', parents)
  // A view has a table or is derived, as the last definition says.
  if (over.blocks.some(({ key }) => key === 'derived_table')) values.delete('sql_table_name')
  const replaced = new Set(over.blocks.filter(({ name }) => name === '').map(({ key }) => key))
  if (over.values.has('sql_table_name')) replaced.add('derived_table')
  const blocks = new Map<string | LookmlBlock, LookmlBlock>()
  for (const block of base.blocks) if (!replaced.has(block.key)) blocks.set(toIdentity(block), block)
  for (const block of over.blocks) {
    const before = blocks.get(toIdentity(block))
    blocks.set(toIdentity(block), before ? mergeBlocks(before, block) : block)
  }
  return { key: base.key, name: base.name, values, blocks: [...blocks.values()] }
}

const toIdentity = (block: LookmlBlock): string | LookmlBlock => (block.name === '' ? block : `${block.key} ${block.name}`)
