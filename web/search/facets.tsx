import { memo, useState } from 'react'
import type { Named, SearchPage } from '../api/types.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { EntityTypeIcon, entityTypePluralLabel } from '../ui/entity-type.tsx'
import { Checkbox } from '../ui/field.tsx'
import { formatApprox } from '../ui/number.ts'
import {
  type FacetName,
  type FacetSelection,
  getSelectedValues,
  HEALTH_LABELS,
  hasFilters,
  isId,
  NO_FILTERS,
  PROPERTY_FACET,
  toggleFacetValue,
} from './search-params.ts'

type FindFacetName = (id: string) => Named | undefined
type FacetValues = { readonly value: string; readonly label?: string | null; readonly count: number; readonly capped: boolean }[]

const LIST_FACETS = [
  ['entity_type', t('Type')],
  ['integration', t('Source')],
  ['owners', t('Owner')],
  ['tags', t('Tag')],
  ['terms', t('Glossary term')],
  ['teams', t('Team')],
  ['collections', t('Collection')],
] as const

/** Flag values offered as filters; most resources have the opposite value. */
const FLAG_FACETS: readonly [FacetName, 'true' | 'false', string][] = [
  ['verified', 'true', t('Verified')],
  ['pii', 'true', t('PII')],
  ['published', 'false', t('Unpublished')],
  ['stale', 'true', t('No longer in source')],
]

const MAX_COLLAPSED = 8

/** Facet filters. The counts of a facet ignore its own selection, so that its other values stay visible. */
export const Facets = memo(
  ({
    address,
    facets,
    names,
    onChange,
  }: {
    /** Only the selected facet values, so that typing a search term does not render this again. */
    address: FacetSelection
    facets: SearchPage['facets']
    names: FindFacetName
    onChange: (next: FacetSelection) => void
  }) => {
    const valuesOf = (name: string): FacetValues =>
      facets?.[name]?.values.map(({ value, label, count }) => ({ value: String(value), label, count, capped: facets[name]!.capped })) ?? []
    const properties = Object.entries(facets ?? {}).filter(([name]) => name.startsWith(PROPERTY_FACET))
    const states = FLAG_FACETS.map(([name, value, label]) => ({
      name,
      value,
      label,
      capped: facets?.[name]?.capped ?? false,
      count: valuesOf(name).find((each) => each.value === value)?.count ?? 0,
      chosen: getSelectedValues(address, name).includes(value),
    })).filter(({ count, chosen }) => count > 0 || chosen)
    const hasHealth =
      !facets?.health || valuesOf('health').some(({ count }) => count > 0) || getSelectedValues(address, 'health').length > 0
    return (
      <div className="grid gap-5">
        {LIST_FACETS.map(([name, title]) => (
          <FacetGroup key={name} name={name} title={title} values={valuesOf(name)} address={address} names={names} onChange={onChange} />
        ))}
        {hasHealth && (
          <fieldset>
            <legend className="mb-1 text-xs font-semibold text-faint">{t('Health')}</legend>
            {Object.entries(HEALTH_LABELS).map(([value, label]) => (
              <FacetOption
                key={value}
                label={label}
                count={facets?.health && (valuesOf('health').find((each) => each.value === value)?.count ?? 0)}
                capped={facets?.health?.capped}
                chosen={getSelectedValues(address, 'health').includes(value)}
                onToggle={() => onChange(toggleFacetValue(address, 'health', value))}
              />
            ))}
          </fieldset>
        )}
        {states.length > 0 && (
          <fieldset>
            <legend className="mb-1 text-xs font-semibold text-faint">{t('Status')}</legend>
            {states.map(({ name, value, label, count, capped, chosen }) => (
              <FacetOption
                key={name}
                label={label}
                count={count}
                capped={capped}
                chosen={chosen}
                onToggle={() => onChange(toggleFacetValue(address, name, value))}
              />
            ))}
          </fieldset>
        )}
        {properties.map(([name, { label = name }]) => (
          <FacetGroup key={name} name={name} title={label} values={valuesOf(name)} address={address} names={names} onChange={onChange} />
        ))}
        {hasFilters(address) && (
          <Button small onClick={() => onChange(NO_FILTERS)}>
            {t('Clear filters')}
          </Button>
        )}
      </div>
    )
  },
)

const FacetGroup = ({
  name,
  title,
  values,
  address,
  names,
  onChange,
}: {
  name: string
  title: string
  values: FacetValues
  address: FacetSelection
  names: FindFacetName
  onChange: (next: FacetSelection) => void
}) => {
  const [all, setAll] = useState(false)
  const chosen = getSelectedValues(address, name)
  const labelled = values.flatMap((each) => {
    const label =
      name === 'entity_type' ? entityTypePluralLabel(each.value) : (each.label ?? names(each.value)?.name ?? toPlainLabel(name, each.value))
    return label ? [{ ...each, label }] : []
  })
  if (labelled.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-semibold text-faint">{title}</legend>
      {labelled.slice(0, all ? undefined : MAX_COLLAPSED).map(({ value, label, count, capped }) => (
        <FacetOption
          key={value}
          label={label}
          count={count}
          capped={capped}
          kind={name === 'entity_type' ? value : undefined}
          chosen={chosen.includes(value)}
          onToggle={() => onChange(toggleFacetValue(address, name, value))}
        />
      ))}
      {labelled.length > MAX_COLLAPSED && (
        <button type="button" onClick={() => setAll(!all)} className="px-1 text-xs text-accent hover:underline">
          {all ? t('Show less') : pluralize(labelled.length - MAX_COLLAPSED, 'more', 'more')}
        </button>
      )}
    </fieldset>
  )
}

/** Texts of custom properties are shown as they are; the ID of something that the user cannot see is not shown. */
const toPlainLabel = (name: string, value: string): string | undefined => {
  if (!name.startsWith(PROPERTY_FACET) || isId(value)) return undefined
  return value === 'true' ? t('Yes') : value === 'false' ? t('No') : value
}

const FacetOption = ({
  label,
  count,
  capped = false,
  chosen,
  kind,
  onToggle,
}: {
  label: string
  count?: number
  /** The count is a lower bound. */
  capped?: boolean
  chosen: boolean
  kind?: string
  onToggle: () => void
}) => (
  <label className="flex h-7 items-center gap-2 rounded-md px-1 text-sm hover:bg-hover">
    <Checkbox checked={chosen} onChange={onToggle} />
    {kind && <EntityTypeIcon type={kind} size={14} />}
    <span className="min-w-0 flex-1 truncate" title={label} dir="auto">
      {label}
    </span>
    {count !== undefined && (
      <span className="text-xs text-faint tabular-nums">
        {formatApprox(count)}
        {capped && '+'}
      </span>
    )}
  </label>
)
