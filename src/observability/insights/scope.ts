import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../../platform/core/errors.ts'
import { parseIdParam } from '../monitor-model/monitor-rows.ts'

/** What is counted: everything, or what belongs to a team, an integration or an owner. */
export type ScopeType = 'workspace' | 'team' | 'integration' | 'owner'
export type Scope = { readonly type: 'workspace' } | { readonly type: Exclude<ScopeType, 'workspace'>; readonly id: string }

/** A filter of the catalog as it is sent. */
export type FilterJson = { readonly operator: string; readonly operands: readonly FilterJson[] } | FilterConditionJson
interface FilterConditionJson {
  readonly operator: string
  readonly field: string
  readonly value?: string | number | boolean
}

export const and = (...operands: readonly FilterJson[]): FilterJson => ({ operator: 'and', operands })
export const or = (...operands: readonly FilterJson[]): FilterJson => ({ operator: 'or', operands })
export const exact = (field: string, value: string | number | boolean): FilterJson => ({ operator: 'exact', field, value })
export const isSet = (field: string): FilterJson => ({ operator: 'is_set', field })

/** The resources of a scope as a filter of the catalog. */
export const scopeFilters = (scope: Scope): FilterJson[] => {
  switch (scope.type) {
    case 'workspace':
      return []
    case 'team':
      return [exact('teams', scope.id)]
    case 'integration':
      return [exact('integration', scope.id)]
    case 'owner':
      return [or(exact('owners', scope.id), exact('owners_groups', scope.id))]
  }
}

interface ScopeQuery {
  readonly team_id?: string
  readonly integration_id?: string
  readonly owner_id?: string
}

export const parseScope = ({ team_id, integration_id, owner_id }: ScopeQuery): Scope => {
  const [, second] = Object.entries({ team_id, integration_id, owner_id }).filter(([, value]) => value)
  if (second) throw invalid({ [second[0]]: ['Only one of team_id, integration_id and owner_id can be set.'] })
  if (team_id) return { type: 'team', id: parseIdParam('team_id', team_id) }
  if (integration_id) return { type: 'integration', id: parseIdParam('integration_id', integration_id) }
  return owner_id ? { type: 'owner', id: parseIdParam('owner_id', owner_id) } : { type: 'workspace' }
}

/** The table of an incident `n` is in the scope. */
export const incidentInScopeSql = (scope: Scope): RawBuilder<boolean> => {
  if (scope.type === 'workspace') return sql<boolean>`true`
  const conditions = {
    team: sql`s.teams @> array[${scope.id}::uuid]`,
    integration: sql`s.integration = ${scope.id}::uuid`,
    owner: sql`(s.owners @> array[${scope.id}::uuid] or s.owners_groups @> array[${scope.id}::uuid])`,
  }
  return sql<boolean>`exists (select from resources s where s.id = n.table_id and ${conditions[scope.type]})`
}
