import { useMemo } from 'react'
import { useNames } from '../../api/names.ts'
import { useBootstrap } from '../../api/session.ts'
import { t } from '../../i18n/messages.ts'
import { entityTypeLabel } from '../../ui/entity-type.tsx'
import { HEALTH_LABELS, isId, PROPERTY_FACET } from '../search-params.ts'
import { FILTER_FIELDS, type FilterField, toPropertyField } from './filter-fields.ts'
import { type FilterGroup, type FilterNames, isGroup } from './filter-model.ts'

/** The fields of a resource and the custom properties, by name. A field of the API that is not listed is edited as text. */
export const useFilterFields = () => {
  const { properties } = useBootstrap()
  return useMemo(() => {
    const fields = [...FILTER_FIELDS, ...properties.map(toPropertyField)]
    const aliases = properties.map((property) => ({ ...toPropertyField(property), name: `${PROPERTY_FACET}${property.name}` }))
    const byName = new Map([...aliases, ...fields, { ...FILTER_FIELDS[0]!, name: 'type' }].map((field) => [field.name, field]))
    return { fields, find: (name: string): FilterField => byName.get(name) ?? { name, label: name, kind: 'text' } }
  }, [properties])
}

const listValues = (group: FilterGroup): readonly string[] =>
  group.children.flatMap((child) => (isGroup(child) ? listValues(child) : child.values))

/** Names for the text of a filter; IDs are looked up. */
export const useFilterNames = (filter: FilterGroup | undefined): FilterNames => {
  const { find } = useFilterFields()
  const ids = useMemo(() => (filter ? listValues(filter).filter(isId) : []), [filter])
  const names = useNames(ids)
  return {
    field: find,
    value: (name, value) => {
      const { kind, choices } = find(name)
      if (choices === 'entity_type') return entityTypeLabel(value)
      if (choices === 'health') return HEALTH_LABELS[value] ?? value
      if (kind === 'flag') return value === 'true' ? t('Yes') : t('No')
      if (kind === 'date') return value.slice(0, 10)
      return isId(value) ? (names(value)?.name ?? '…') : value
    },
  }
}
