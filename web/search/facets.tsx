import { memo, useState } from 'react'
import type { Name } from '../api/names.ts'
import type { SearchPage } from '../api/types.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/field.tsx'
import { KindIcon, kindNames } from '../ui/kind.tsx'
import { about } from '../ui/number.ts'
import { several, t } from '../words/words.ts'
import { type Choices, chosenValues, FACETS, type FacetName, hasFilters, toggled } from './address.ts'

type Names = (id: string) => Name | undefined
type Values = { readonly value: string; readonly count: number; readonly capped: boolean }[]

const LISTS = [
  ['entity_type', t('Type')],
  ['integration', t('Source')],
  ['owners', t('Owner')],
  ['tags', t('Tag')],
] as const

/** Flag values offered as filters; most resources have the opposite value. */
const STATES: readonly [FacetName, 'true' | 'false', string][] = [
  ['verified', 'true', t('Verified')],
  ['pii', 'true', t('PII')],
  ['published', 'false', t('Unpublished')],
  ['stale', 'true', t('No longer in source')],
]

const FIRST = 8

/** Facet filters. The counts of a facet ignore its own selection, so that its other values stay visible. */
export const Facets = memo(
  ({
    address,
    facets,
    names,
    onChange,
  }: {
    /** Only the selected facet values, so that typing a search term does not render this again. */
    address: Choices
    facets: SearchPage['facets']
    names: Names
    onChange: (next: Choices) => void
  }) => {
    const valuesOf = (name: FacetName): Values =>
      facets?.[name]?.values.map(({ value, count }) => ({ value: String(value), count, capped: facets[name]!.capped })) ?? []
    const states = STATES.map(([name, value, label]) => ({
      name,
      value,
      label,
      capped: facets?.[name]?.capped ?? false,
      count: valuesOf(name).find((each) => each.value === value)?.count ?? 0,
      chosen: chosenValues(address, name).includes(value),
    })).filter(({ count, chosen }) => count > 0 || chosen)
    return (
      <div className="grid gap-5">
        {LISTS.map(([name, title]) => (
          <Group key={name} name={name} title={title} values={valuesOf(name)} address={address} names={names} onChange={onChange} />
        ))}
        {states.length > 0 && (
          <fieldset>
            <legend className="mb-1 text-xs font-semibold text-faint">{t('Status')}</legend>
            {states.map(({ name, value, label, count, capped, chosen }) => (
              <Choice
                key={name}
                label={label}
                count={count}
                capped={capped}
                chosen={chosen}
                onToggle={() => onChange(toggled(address, name, value))}
              />
            ))}
          </fieldset>
        )}
        {hasFilters(address) && (
          <Button small onClick={() => onChange(Object.fromEntries(FACETS.map((name) => [name, undefined])))}>
            {t('Clear filters')}
          </Button>
        )}
      </div>
    )
  },
)

const Group = ({
  name,
  title,
  values,
  address,
  names,
  onChange,
}: {
  name: FacetName
  title: string
  values: Values
  address: Choices
  names: Names
  onChange: (next: Choices) => void
}) => {
  const [all, setAll] = useState(false)
  const chosen = chosenValues(address, name)
  const labelled = values.flatMap((each) => {
    const label = name === 'entity_type' ? kindNames(each.value) : names(each.value)?.name
    return label ? [{ ...each, label }] : []
  })
  if (labelled.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-semibold text-faint">{title}</legend>
      {labelled.slice(0, all ? undefined : FIRST).map(({ value, label, count, capped }) => (
        <Choice
          key={value}
          label={label}
          count={count}
          capped={capped}
          kind={name === 'entity_type' ? value : undefined}
          chosen={chosen.includes(value)}
          onToggle={() => onChange(toggled(address, name, value))}
        />
      ))}
      {labelled.length > FIRST && (
        <button type="button" onClick={() => setAll(!all)} className="px-1 text-xs text-accent hover:underline">
          {all ? t('Show less') : several(labelled.length - FIRST, 'more', 'more')}
        </button>
      )}
    </fieldset>
  )
}

const Choice = ({
  label,
  count,
  capped,
  chosen,
  kind,
  onToggle,
}: {
  label: string
  count: number
  /** The count is a lower bound. */
  capped: boolean
  chosen: boolean
  kind?: string
  onToggle: () => void
}) => (
  <label className="flex h-7 items-center gap-2 rounded-md px-1 text-sm hover:bg-hover">
    <Checkbox checked={chosen} onChange={onToggle} />
    {kind && <KindIcon type={kind} size={14} />}
    <span className="min-w-0 flex-1 truncate" title={label} dir="auto">
      {label}
    </span>
    <span className="text-xs text-faint tabular-nums">
      {about(count)}
      {capped && '+'}
    </span>
  </label>
)
