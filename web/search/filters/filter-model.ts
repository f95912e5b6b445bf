import { t } from '../../i18n/messages.ts'

/** A filter of the API as it is edited: groups and conditions with keys. */
export type FilterNode = FilterGroup | FilterCondition
export interface FilterGroup {
  readonly key: number
  readonly match: Match
  readonly children: readonly FilterNode[]
}
export interface FilterCondition {
  readonly key: number
  readonly field: string
  readonly operator: string
  /** One value, several for `in`, none for `is_set`. */
  readonly values: readonly string[]
}

export const MATCHES = { all: t('All of'), any: t('Any of'), none: t('None of') } as const
export type Match = keyof typeof MATCHES

export const isGroup = (node: FilterNode): node is FilterGroup => 'children' in node

/** As in the API (src/platform/lists/filter.ts); only operators that make sense to people are offered. */
export const OPERATORS_BY_KIND = {
  text: ['contains', 'exact', 'starts_with', 'is_set', 'is_not_set'],
  number: ['exact', 'gt', 'gte', 'lt', 'lte', 'is_set', 'is_not_set'],
  date: ['gte', 'lt', 'is_set', 'is_not_set'],
  flag: ['exact'],
  choice: ['in', 'is_set', 'is_not_set'],
} as const
export type FieldKind = keyof typeof OPERATORS_BY_KIND

export const OPERATOR_LABELS: Readonly<Record<string, string>> = {
  exact: t('is // filter operator'),
  contains: t('contains'),
  starts_with: t('starts with'),
  in: t('is any of'),
  is_set: t('is set'),
  is_not_set: t('is not set'),
  gt: t('is more than'),
  gte: t('is at least'),
  lt: t('is less than'),
  lte: t('is at most'),
}
export const DATE_OPERATOR_LABELS: Readonly<Record<string, string>> = { ...OPERATOR_LABELS, gte: t('is on or after'), lt: t('is before') }

export const takesValue = (operator: string): boolean => operator !== 'is_set' && operator !== 'is_not_set'

let lastKey = 0
export const newKey = (): number => ++lastKey

export const newGroup = (match: Match, children: readonly FilterNode[]): FilterGroup => ({ key: newKey(), match, children })

const parseNode = (json: unknown): FilterNode | undefined => {
  if (typeof json !== 'object' || json === null) return undefined
  const { operator, operands, field, value } = json as Record<string, unknown>
  if (operator === 'and' || operator === 'or' || operator === 'not') {
    if (!Array.isArray(operands)) return undefined
    const [first] = operands
    // "None of" is written as not (a or b).
    const inner = operator === 'not' && first?.operator === 'or' && Array.isArray(first.operands) ? first.operands : operands
    const children: (FilterNode | undefined)[] = inner.map(parseNode)
    if (!children.every((child) => child !== undefined)) return undefined
    return newGroup(operator === 'and' ? 'all' : operator === 'or' ? 'any' : 'none', children)
  }
  if (typeof operator !== 'string' || typeof field !== 'string') return undefined
  const values = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  return { key: newKey(), field, operator, values: values.map(String) }
}

/** The filter of the URL, always as a group; undefined if it is not a filter. */
export const parseFilter = (text: string | undefined): FilterGroup | undefined => {
  if (text === undefined) return newGroup('all', [])
  try {
    const node = parseNode(JSON.parse(text))
    return node && (isGroup(node) ? node : newGroup('all', [node]))
  } catch {
    return undefined
  }
}

const toJson = (node: FilterNode): object => {
  if (!isGroup(node)) {
    const { field, operator, values } = node
    if (!takesValue(operator)) return { operator, field }
    return { operator, field, value: operator === 'in' ? values : (values[0] ?? '') }
  }
  const operands = node.children.map(toJson)
  if (node.match === 'none') return { operator: 'not', operands: [{ operator: 'or', operands }] }
  return { operator: node.match === 'all' ? 'and' : 'or', operands }
}

/** Groups without conditions are left out. */
const withoutEmptyGroups = (group: FilterGroup): FilterGroup => ({
  ...group,
  children: group.children
    .map((child) => (isGroup(child) ? withoutEmptyGroups(child) : child))
    .filter((child) => !isGroup(child) || child.children.length > 0),
})

/** The filter as the API and the URL have it; undefined without conditions. */
export const stringifyFilter = (root: FilterGroup): string | undefined => {
  const group = withoutEmptyGroups(root)
  return group.children.length === 0 ? undefined : JSON.stringify(toJson(group))
}

/** The server's errors (`filter.operands[0].value`) by the key of the condition or group they belong to. */
export const locateErrors = (root: FilterGroup, errors: Readonly<Record<string, readonly string[]>>): ReadonlyMap<number, string> => {
  const found = new Map<number, string>()
  const places = new Map<string, number>()
  const visit = (node: FilterNode, path: string): void => {
    places.set(path, node.key)
    if (isGroup(node)) {
      const inside = node.match === 'none' ? `${path}.operands[0]` : path
      places.set(inside, node.key)
      for (const [i, child] of node.children.entries()) visit(child, `${inside}.operands[${i}]`)
    }
  }
  visit(withoutEmptyGroups(root), 'filter')
  for (const [path, problems] of Object.entries(errors)) {
    let place = path
    while (place !== '' && !places.has(place)) place = place.slice(0, Math.max(0, place.lastIndexOf('.')))
    found.set(places.get(place) ?? root.key, problems.join(' '))
  }
  return found
}

/** The tree with one node replaced, or removed if `change` returns undefined. */
export const changeNode = (group: FilterGroup, key: number, change: (node: FilterNode) => FilterNode | undefined): FilterGroup => {
  if (group.key === key) return change(group) as FilterGroup
  const children = group.children.flatMap((child) => {
    if (child.key === key) return change(child) ?? []
    return isGroup(child) ? [changeNode(child, key, change)] : [child]
  })
  return { ...group, children }
}

/** Names of fields and values, for the text of a filter. */
export interface FilterNames {
  readonly field: (name: string) => { readonly label: string; readonly kind: FieldKind }
  readonly value: (field: string, value: string) => string
}

/** The filter as a sentence. */
export const describeFilter = (node: FilterNode, names: FilterNames, isInner = false): string => {
  if (!isGroup(node)) return describeCondition(node, names)
  const parts = node.children.map((child) => describeFilter(child, names, true))
  const join = (left: string, right: string) =>
    node.match === 'all' ? t('{left} and {right}', { left, right }) : t('{left} or {right}', { left, right })
  const text = parts.slice(1).reduce(join, parts[0] ?? '')
  if (node.match === 'none') return t('not ({conditions})', { conditions: text })
  return isInner && parts.length > 1 ? `(${text})` : text
}

const describeCondition = ({ field: name, operator, values }: FilterCondition, names: FilterNames): string => {
  const { label: field, kind } = names.field(name)
  const value = values.map((each) => names.value(name, each)).join(', ') || '…' // not chosen yet
  switch (operator) {
    case 'exact':
      return t('{field} is {value}', { field, value })
    case 'contains':
      return t('{field} contains “{value}”', { field, value })
    case 'starts_with':
      return t('{field} starts with “{value}”', { field, value })
    case 'in':
      return values.length === 1 ? t('{field} is {value}', { field, value }) : t('{field} is any of {value}', { field, value })
    case 'is_set':
      return t('{field} is set', { field })
    case 'is_not_set':
      return t('{field} is not set', { field })
    case 'gte':
      return kind === 'date' ? t('{field} is on or after {value}', { field, value }) : `${field} ≥ ${value}`
    case 'lt':
      return kind === 'date' ? t('{field} is before {value}', { field, value }) : `${field} < ${value}`
    case 'gt':
      return `${field} > ${value}`
    case 'lte':
      return `${field} ≤ ${value}`
    default:
      return `${field} ${operator} ${value}`
  }
}
