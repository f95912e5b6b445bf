import { invalid } from '../../platform/core/errors.ts'
import { type Aspect, isObject } from './change.ts'

const MAX_VISITED = 4_000_000
const MAX_PATH_PARTS = 20

/** Every operation goes through the list it changes: many operations on a long list would hold the process for minutes. */
export class PatchBudget {
  #visited = 0

  visit<T>(list: readonly T[]): readonly T[] {
    this.#visited += list.length
    if (this.#visited > MAX_VISITED)
      throw invalid({ patch: ['has too many operations on long lists. Send the whole aspect with changeType UPSERT instead.'] })
    return list
  }
}

/**
 * Applies a patch to an aspect, in place. DataHub's paths name the entries of a list by their key instead of their position:
 * `/upstreams/<urn>`, `/tags/<urn>`, `/owners/<urn>/<type>`.
 */
export const applyPatch = (aspect: Aspect, patch: unknown, budget = new PatchBudget()): Aspect => {
  const operations = isObject(patch) && Array.isArray(patch.patch) ? patch.patch : patch
  if (!Array.isArray(operations)) return aspect
  const result = isObject(aspect) ? aspect : {}
  for (const each of operations) {
    if (!isObject(each) || typeof each.path !== 'string') continue
    const [, ...path] = each.path.split('/', MAX_PATH_PARTS + 2).map(unescapePointer)
    if (path.length > MAX_PATH_PARTS) throw invalid({ patch: [`must not have a path of more than ${MAX_PATH_PARTS} parts.`] })
    applyOperation(result, path, each.op === 'remove' ? undefined : each.value, budget)
  }
  return result
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Lists, and the fields by which a path names their entries. */
const LIST_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['upstreams', ['dataset']],
  ['tags', ['tag']],
  ['terms', ['urn']],
  ['owners', ['owner', 'type']],
  ['elements', ['url']],
  ['inputDatasetEdges', ['destinationUrn']],
  ['outputDatasetEdges', ['destinationUrn']],
  ['inputDatajobEdges', ['destinationUrn']],
  ['inputEdges', ['destinationUrn']],
  ['chartEdges', ['destinationUrn']],
  ['datasetEdges', ['destinationUrn']],
  ['dashboards', ['destinationUrn']],
  ['assets', ['destinationUrn']],
  ['properties', ['propertyUrn']],
  ['editableSchemaFieldInfo', ['fieldPath']],
])

/** Lists of URNs, whose paths name the URN itself. */
const URN_LISTS = new Set([
  ...['charts', 'datasets', 'inputs', 'inputDatasets', 'outputDatasets', 'inputDatajobs', 'inputDatasetFields', 'outputDatasetFields'],
  ...['domains', 'siblings'],
])

const applyOperation = (target: Record<string, Aspect>, [name, ...rest]: readonly string[], value: Aspect, budget: PatchBudget): void => {
  if (name === undefined || name === '__proto__' || name === 'constructor') return
  if (rest.length === 0) {
    if (value === undefined) delete target[name]
    else target[name] = value
    return
  }
  const keys = LIST_KEYS.get(name)
  if (name === 'fineGrainedLineages') target[name] = patchFineGrained(target[name], rest, value, budget)
  else if (keys) target[name] = patchList(target[name], keys, rest, value, budget)
  else if (Array.isArray(target[name]) || URN_LISTS.has(name))
    target[name] = patchStrings(Array.isArray(target[name]) ? budget.visit(target[name]) : [], rest[0]!, value)
  else {
    if (!Object.hasOwn(target, name) || !isObject(target[name])) target[name] = {}
    applyOperation(target[name], rest, value, budget)
  }
}

const toEntries = (list: unknown, budget: PatchBudget): Record<string, Aspect>[] =>
  Array.isArray(list) ? budget.visit(list).filter(isObject) : []

/** Replaces, adds or removes the entry with these key values; a longer path changes a field inside of it. */
const patchList = (list: unknown, keys: readonly string[], path: readonly string[], value: Aspect, budget: PatchBudget): Aspect[] => {
  const entries = toEntries(list, budget)
  const used = keys.slice(0, path.length)
  const isNamed = (entry: Record<string, Aspect>) => used.every((key, i) => entry[key] === undefined || entry[key] === path[i])
  const inside = path.slice(used.length)
  if (inside.length > 0) {
    const entry = entries.find(isNamed) ?? Object.fromEntries(used.map((key, i) => [key, path[i]]))
    applyOperation(entry, inside, value, budget)
    return entries.includes(entry) ? entries : [...entries, entry]
  }
  const others = entries.filter((entry) => !isNamed(entry))
  if (value === undefined) return others
  return [...others, { ...Object.fromEntries(used.map((key, i) => [key, path[i]])), ...(isObject(value) ? value : {}) }]
}

const patchStrings = (list: readonly Aspect[], name: string, value: Aspect): Aspect[] => {
  const others = list.filter((each) => each !== name)
  return value === undefined ? others : [...others, isObject(value) ? name : value]
}

/** `/fineGrainedLineages/<operation>/<downstream>/<query>/<upstream>` */
const patchFineGrained = (list: unknown, path: readonly string[], value: Aspect, budget: PatchBudget): Aspect[] => {
  const entries = toEntries(list, budget)
  const [transformOperation = 'NONE', downstream = '', , upstream = ''] = path
  const isNamed = (entry: Record<string, Aspect>) =>
    [entry.downstreams].flat().includes(downstream) && [entry.upstreams].flat().length === 1 && [entry.upstreams].flat()[0] === upstream
  const others = entries.filter((entry) => !isNamed(entry))
  if (value === undefined) return others
  return [...others, { transformOperation, downstreams: [downstream], upstreams: [upstream], ...(isObject(value) ? value : {}) }]
}
