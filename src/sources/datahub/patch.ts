import { invalid } from '../../platform/core/errors.ts'
import { isObject } from '../../platform/core/json-value.ts'
import type { Aspect } from './change.ts'
import { toStrings } from './entities.ts'

const MAX_VISITED = 4_000_000
const MAX_PATH_PARTS = 20

/** Every operation goes through the list it changes: many operations on a long list would hold the process for minutes. */
export class PatchBudget {
  #visited = 0

  get isExceeded(): boolean {
    return this.#visited > MAX_VISITED
  }

  visit<T>(list: readonly T[]): readonly T[] {
    this.#visited += list.length
    if (this.isExceeded)
      throw invalid({ patch: ['has too many operations on long lists. Send the whole aspect with changeType UPSERT instead.'] })
    return list
  }
}

/**
 * Applies a patch to an aspect, in place. DataHub's paths name the entries of a list by their key instead of their position:
 * `/upstreams/<urn>`, `/tags/<urn>`, `/owners/<urn>/<type>`. A patch may say which fields are the key: `{"tags": ["attribution␟source", "tag"]}`
 * for `/tags/<source>/<urn>`.
 */
export const applyPatch = (aspect: Aspect, patch: unknown, budget = new PatchBudget()): Aspect => {
  const operations = readOperations(patch)
  const keys = readKeys(isObject(patch) ? patch.arrayPrimaryKeys : undefined)
  const result = isObject(aspect) ? aspect : {}
  for (const { path, value } of operations) applyOperation(result, path, value, { budget, keys })
  return result
}

/** All of them before the first is applied: a patch that cannot be applied changes nothing. */
const readOperations = (patch: unknown): { readonly path: readonly string[]; readonly value: Aspect }[] => {
  const operations = isObject(patch) && Array.isArray(patch.patch) ? patch.patch : patch
  if (!Array.isArray(operations)) throw invalid({ patch: ['must be a list of operations.'] })
  return operations.map((each) => {
    if (!isObject(each) || typeof each.path !== 'string') throw invalid({ patch: ['must have operations with op, path and value.'] })
    if (!OPERATIONS.has(each.op)) throw invalid({ patch: ['must have the operations add, replace or remove.'] })
    const [, ...path] = each.path.split('/', MAX_PATH_PARTS + 2).map(unescapePointer)
    if (path.length > MAX_PATH_PARTS) throw invalid({ patch: [`must not have a path of more than ${MAX_PATH_PARTS} parts.`] })
    return { path, value: each.op === 'remove' ? undefined : each.value }
  })
}

interface PatchOptions {
  readonly budget: PatchBudget
  /** Lists, and the fields that identify their entries. */
  readonly keys: ReadonlyMap<string, readonly string[]>
}

const OPERATIONS: ReadonlySet<unknown> = new Set(['add', 'replace', 'remove'])

const readKeys = (keys: unknown): ReadonlyMap<string, readonly string[]> =>
  isObject(keys) ? new Map([...LIST_KEYS, ...Object.entries(keys).map(([list, names]) => [list, toStrings(names)] as const)]) : LIST_KEYS

/** Some clients also encode URNs as in addresses. */
const unescapePointer = (part: string): string => {
  const text = part.replaceAll('~1', '/').replaceAll('~0', '~')
  if (!/^urn%3A/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Lists, and the fields by which a path names their entries. */
const LIST_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['upstreams', ['dataset']],
  ['tags', ['tag']],
  ['terms', ['urn']],
  ['owners', ['owner', 'type', 'typeUrn']],
  ['documentations', ['attribution␟source']],
  ['elements', ['url']],
  ['inputDatasetEdges', ['destinationUrn']],
  ['outputDatasetEdges', ['destinationUrn']],
  ['inputDatajobEdges', ['destinationUrn']],
  ['inputEdges', ['destinationUrn']],
  ['outputEdges', ['destinationUrn']],
  ['chartEdges', ['destinationUrn']],
  ['datasetEdges', ['destinationUrn']],
  ['dashboards', ['destinationUrn']],
  ['assets', ['destinationUrn']],
  ['properties', ['propertyUrn']],
  ['editableSchemaFieldInfo', ['fieldPath']],
  ['schemaFieldInfo', ['fieldPath']],
])

/** Lists of URNs, whose paths name the URN itself. */
const URN_LISTS = new Set([
  ...['charts', 'datasets', 'inputs', 'outputs', 'inputDatasets', 'outputDatasets', 'inputDatajobs', 'inputDatasetFields'],
  ...['outputDatasetFields', 'domains', 'siblings', 'trainingJobs', 'downstreamJobs', 'mlFeatures', 'groups', 'deployments'],
])

const applyOperation = (target: Record<string, Aspect>, [name, ...rest]: readonly string[], value: Aspect, options: PatchOptions): void => {
  if (name === undefined || name === '__proto__' || name === 'constructor') return
  if (rest.length === 0) {
    if (value === undefined) delete target[name]
    else target[name] = value
    return
  }
  const { budget } = options
  const keys = options.keys.get(name)
  if (name === 'schemaFieldInfo') target.fields = patchList(target.fields, keys!, rest, value, options)
  else if (name === 'fineGrainedLineages') target[name] = patchFineGrained(target[name], rest, value, budget)
  else if (keys && keys.length > 0) target[name] = patchList(target[name], keys, rest, value, options)
  else if (Array.isArray(target[name]) || URN_LISTS.has(name))
    target[name] = patchStrings(Array.isArray(target[name]) ? budget.visit(target[name]) : [], rest[0]!, value)
  else {
    if (!Object.hasOwn(target, name) || !isObject(target[name])) target[name] = {}
    applyOperation(target[name], rest, value, options)
  }
}

const toEntries = (list: unknown, budget: PatchBudget): Record<string, Aspect>[] =>
  Array.isArray(list) ? budget.visit(list).filter(isObject) : []

const KEY_SEPARATOR = '␟'
const ANY = '*'

/** Whether an entry has this key. Without the field it can be any, unless the field is inside of another one: then it is empty. */
const hasKey =
  (key: string, wanted: string) =>
  (entry: Record<string, Aspect>): boolean => {
    const separator = key.indexOf(KEY_SEPARATOR)
    if (separator < 0) return entry[key] === undefined || entry[key] === wanted
    const outer = entry[key.slice(0, separator)]
    return (isObject(outer) ? (outer[key.slice(separator + 1)] ?? '') : '') === wanted
  }

const toKeyFields = (keys: readonly string[], path: readonly string[]): Record<string, Aspect> =>
  Object.fromEntries(keys.flatMap((key, i) => (key.includes(KEY_SEPARATOR) || path[i] === ANY ? [] : [[key, path[i]]])))

/** Replaces, adds or removes the entry with these key values; a longer path changes a field inside of it. */
const patchList = (list: unknown, keys: readonly string[], path: readonly string[], value: Aspect, options: PatchOptions): Aspect[] => {
  const entries = toEntries(list, options.budget)
  const used = keys.slice(0, path.length)
  const tests = used.flatMap((key, i) => (path[i] === ANY ? [] : [hasKey(key, path[i]!)]))
  const isNamed = (entry: Record<string, Aspect>) => tests.every((test) => test(entry))
  const inside = path.slice(used.length)
  if (inside.length > 0) {
    const entry = entries.find(isNamed) ?? toKeyFields(used, path)
    applyOperation(entry, inside, value, options)
    return entries.includes(entry) ? entries : [...entries, entry]
  }
  const others = entries.filter((entry) => !isNamed(entry))
  if (value === undefined) return others
  return [...others, { ...toKeyFields(used, path), ...(isObject(value) ? value : {}) }]
}

const patchStrings = (list: readonly Aspect[], name: string, value: Aspect): Aspect[] => {
  const others = list.filter((each) => each !== name)
  return value === undefined ? others : [...others, isObject(value) ? name : value]
}

/** `/fineGrainedLineages/<operation>/<downstream>/<query>/<upstream>` */
const patchFineGrained = (list: unknown, path: readonly string[], value: Aspect, budget: PatchBudget): Aspect[] => {
  const entries = toEntries(list, budget)
  const [transformOperation = 'NONE', downstream = '', query = 'NONE', upstream = ''] = path
  const isNamed = (entry: Record<string, Aspect>) =>
    [entry.downstreams].flat().includes(downstream) && [entry.upstreams].flat().length === 1 && [entry.upstreams].flat()[0] === upstream
  const others = entries.filter((entry) => !isNamed(entry))
  if (value === undefined) return others
  const ends = { downstreams: [downstream], upstreams: [upstream], ...(query === 'NONE' ? {} : { query }) }
  return [...others, { transformOperation, ...ends, ...(isObject(value) ? value : {}) }]
}
