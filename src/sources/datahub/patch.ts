import { type Aspect, isObject } from './change.ts'

/**
 * Applies a patch to an aspect. DataHub's paths name the entries of a list by their key instead of their position: `/upstreams/<urn>`,
 * `/tags/<urn>`, `/owners/<urn>/<type>`. Pure.
 */
export const applyPatch = (aspect: Aspect, patch: unknown): Aspect => {
  const operations = isObject(patch) && Array.isArray(patch.patch) ? patch.patch : patch
  if (!Array.isArray(operations)) return aspect
  const result = structuredClone(aspect ?? {})
  for (const each of operations)
    if (isObject(each) && typeof each.path === 'string')
      applyOperation(result, each.path.split('/').slice(1).map(unescapePointer), each.op === 'remove' ? undefined : each.value)
  return result
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Lists, and the fields by which a path names their entries. */
const LIST_KEYS: Readonly<Record<string, readonly string[]>> = {
  upstreams: ['dataset'],
  tags: ['tag'],
  terms: ['urn'],
  owners: ['owner', 'type'],
  elements: ['url'],
  inputDatasetEdges: ['destinationUrn'],
  outputDatasetEdges: ['destinationUrn'],
  inputDatajobEdges: ['destinationUrn'],
  inputEdges: ['destinationUrn'],
  chartEdges: ['destinationUrn'],
  datasetEdges: ['destinationUrn'],
  dashboards: ['destinationUrn'],
  properties: ['propertyUrn'],
  editableSchemaFieldInfo: ['fieldPath'],
}

const applyOperation = (target: Record<string, Aspect>, [name, ...rest]: readonly string[], value: Aspect): void => {
  if (name === undefined || name === '__proto__' || name === 'constructor') return
  if (rest.length === 0) {
    if (value === undefined) delete target[name]
    else target[name] = value
    return
  }
  if (name === 'fineGrainedLineages') target[name] = patchFineGrained(target[name], rest, value)
  else if (LIST_KEYS[name]) target[name] = patchList(target[name], LIST_KEYS[name], rest, value)
  else if (Array.isArray(target[name])) target[name] = patchStrings(target[name], rest[0]!, value)
  else {
    if (!isObject(target[name])) target[name] = {}
    applyOperation(target[name], rest, value)
  }
}

/** Replaces, adds or removes the entry with these key values; a longer path changes a field inside of it. */
const patchList = (list: unknown, keys: readonly string[], path: readonly string[], value: Aspect): Aspect[] => {
  const entries = Array.isArray(list) ? list.filter(isObject) : []
  const used = keys.slice(0, path.length)
  const isNamed = (entry: Record<string, Aspect>) => used.every((key, i) => entry[key] === undefined || String(entry[key]) === path[i])
  const inside = path.slice(used.length)
  if (inside.length > 0) {
    const entry = entries.find(isNamed) ?? Object.fromEntries(used.map((key, i) => [key, path[i]]))
    applyOperation(entry, inside, value)
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
const patchFineGrained = (list: unknown, path: readonly string[], value: Aspect): Aspect[] => {
  const entries = Array.isArray(list) ? list.filter(isObject) : []
  const [transformOperation = 'NONE', downstream = '', , upstream = ''] = path
  const isNamed = (entry: Record<string, Aspect>) =>
    [entry.downstreams].flat().includes(downstream) && [entry.upstreams].flat().length === 1 && [entry.upstreams].flat()[0] === upstream
  const others = entries.filter((entry) => !isNamed(entry))
  if (value === undefined) return others
  return [...others, { transformOperation, downstreams: [downstream], upstreams: [upstream], ...(isObject(value) ? value : {}) }]
}
