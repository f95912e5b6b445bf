import type { Group } from './queries.ts'
import type { Grouping } from './search-params.ts'

interface FilterJson {
  readonly operator: string
  readonly field?: string
  readonly value?: unknown
  readonly operands?: readonly FilterJson[]
}

/** A filter of the insights with one more condition. */
export const narrowFilter = (filter: string, condition: FilterJson): string => {
  const parsed = JSON.parse(filter) as FilterJson
  const operands = parsed.operator === 'and' ? (parsed.operands ?? []) : [parsed]
  return JSON.stringify({ operator: 'and', operands: [...operands, condition] })
}

const exact = (field: string, value: unknown): FilterJson => ({ operator: 'exact', field, value })

/** What lists a number of a group: the filter of the same number of everything, and the group. */
export const toGroupCondition = (by: Grouping, { id, name, integration_id }: Group, counted: 'table' | 'column'): FilterJson => {
  switch (by) {
    case 'team':
      return exact('teams', id)
    case 'integration':
      return exact('integration', id)
    case 'owner':
      return { operator: 'or', operands: [exact('owners', id), exact('owners_groups', id)] }
    case 'schema':
      return counted === 'table'
        ? exact('parent', id)
        : {
            operator: 'and',
            operands: [exact('integration', integration_id), { operator: 'starts_with', field: 'title_full', value: `${name}.` }],
          }
  }
}
