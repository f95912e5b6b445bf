import type { CustomProperty } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { PROPERTY_FACET } from '../search-params.ts'
import type { FieldKind } from './filter-model.ts'

/** The fields that the filter builder offers. */
export interface FilterField {
  readonly name: string
  readonly label: string
  readonly kind: FieldKind
  /** Where the values of a choice come from. */
  readonly choices?:
    | 'entity_type'
    | 'people'
    | 'groups'
    | 'tags'
    | 'teams'
    | 'terms'
    | 'collections'
    | 'integrations'
    | 'health'
    | 'databases'
    | 'schemas'
    | readonly string[]
}

export const FILTER_FIELDS: readonly FilterField[] = [
  { name: 'entity_type', label: t('Type'), kind: 'choice', choices: 'entity_type' },
  { name: 'title', label: t('Name'), kind: 'text' },
  { name: 'title_full', label: t('Path'), kind: 'text' },
  { name: 'description', label: t('Description'), kind: 'text' },
  { name: 'definition', label: t('Documentation'), kind: 'text' },
  { name: 'owners', label: t('Owner'), kind: 'choice', choices: 'people' },
  { name: 'owners_groups', label: t('Owner group'), kind: 'choice', choices: 'groups' },
  { name: 'tags', label: t('Tag'), kind: 'choice', choices: 'tags' },
  { name: 'terms', label: t('Glossary term'), kind: 'choice', choices: 'terms' },
  { name: 'teams', label: t('Team'), kind: 'choice', choices: 'teams' },
  { name: 'collections', label: t('Collection'), kind: 'choice', choices: 'collections' },
  { name: 'integration', label: t('Source'), kind: 'choice', choices: 'integrations' },
  { name: 'database', label: t('Database'), kind: 'choice', choices: 'databases' },
  { name: 'schema', label: t('Schema'), kind: 'choice', choices: 'schemas' },
  { name: 'native_type', label: t('Data type'), kind: 'text' },
  { name: 'health', label: t('Health'), kind: 'choice', choices: 'health' },
  { name: 'deprecation', label: t('Deprecated'), kind: 'date' },
  { name: 'verified', label: t('Verified'), kind: 'flag' },
  { name: 'published', label: t('Published'), kind: 'flag' },
  { name: 'pii', label: t('PII'), kind: 'flag' },
  { name: 'stale', label: t('No longer in source'), kind: 'flag' },
  { name: 'archived', label: t('Archived'), kind: 'flag' },
  { name: 'external_usage', label: t('Queries'), kind: 'number' },
  { name: 'internal_usage', label: t('Views // how often a page was opened'), kind: 'number' },
  { name: 'row_count', label: t('Rows'), kind: 'number' },
  { name: 'byte_size', label: t('Bytes'), kind: 'number' },
  { name: 'children_count', label: t('Children'), kind: 'number' },
  { name: 'created_at', label: t('Created'), kind: 'date' },
  { name: 'updated_at', label: t('Updated'), kind: 'date' },
]

const KIND_BY_VALUE_TYPE: Readonly<Record<CustomProperty['value_type'], Pick<FilterField, 'kind' | 'choices'>>> = {
  string: { kind: 'text' },
  url: { kind: 'text' },
  number: { kind: 'number' },
  date: { kind: 'date' },
  boolean: { kind: 'flag' },
  select: { kind: 'text' },
  multi_select: { kind: 'text' },
  user: { kind: 'choice', choices: 'people' },
  resource: { kind: 'choice', choices: 'terms' },
  tag: { kind: 'choice', choices: 'tags' },
}

/** Custom properties are named by their ID, so that a filter survives a rename. */
export const toPropertyField = ({ id, name, value_type, options }: CustomProperty): FilterField => ({
  name: `${PROPERTY_FACET}${id}`,
  label: name,
  ...(options && options.length > 0 ? { kind: 'choice', choices: options } : KIND_BY_VALUE_TYPE[value_type]),
})
