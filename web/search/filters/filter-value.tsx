import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import {
  type PickerOptions,
  useContainerNameOptions,
  useGroupOptions,
  useIntegrationOptions,
  usePeopleOptions,
  useTagOptions,
  useTeamOptions,
  useTermOptions,
} from '../../api/picker-options.ts'
import { t } from '../../i18n/messages.ts'
import { useCollectionOptions } from '../../resources/sidebar/collections.ts'
import { entityTypeLabel, KNOWN_ENTITY_TYPES } from '../../ui/entity-type.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { type Option, Picker } from '../../ui/picker.tsx'
import { HEALTH_LABELS } from '../search-params.ts'
import type { FilterField } from './filter-fields.ts'
import type { FilterNames } from './filter-model.ts'

interface ValueProps {
  readonly field: FilterField
  readonly operator: string
  readonly values: readonly string[]
  readonly names: FilterNames
  /** The ID of the text that explains what is wrong. */
  readonly errorId: string | undefined
  readonly onChange: (values: readonly string[]) => void
}

/** The value of a condition. */
export const FilterValue = (props: ValueProps) => {
  const { field, operator, values, errorId, onChange } = props
  const wrong = { 'aria-invalid': errorId !== undefined, 'aria-describedby': errorId }
  const label = t('Value of {field}', { field: field.label })
  if (field.kind === 'choice' && operator === 'in') return <ChoiceValue {...props} />
  if (field.kind === 'flag')
    return (
      <Select
        small
        fit
        aria-label={label}
        {...wrong}
        value={values[0] === 'false' ? 'false' : 'true'}
        onChange={({ target }) => onChange([target.value])}
      >
        <option value="true">{t('Yes')}</option>
        <option value="false">{t('No')}</option>
      </Select>
    )
  const type = field.kind === 'date' ? 'date' : field.kind === 'number' ? 'number' : 'text'
  const text = operator === 'in' ? values.join(', ') : (values[0] ?? '')
  return (
    <Input
      small
      type={type}
      step="any"
      aria-label={label}
      {...wrong}
      value={type === 'date' ? text.slice(0, 10) : text}
      onChange={({ target: { value } }) => onChange(operator === 'in' ? value.split(',').map((each) => each.trim()) : [value])}
      className="sm:max-w-64"
    />
  )
}

type ChooserProps = Omit<ValueProps, 'operator'>

const ChoiceValue = (props: ChooserProps) => {
  const { choices } = props.field
  if (typeof choices !== 'string') return <Chooser {...props} options={(choices ?? []).map((id) => ({ id, label: id }))} />
  const Values = CHOICE_VALUES[choices]
  return <Values {...props} />
}

const EntityTypes = (props: ChooserProps) => (
  <Chooser {...props} options={KNOWN_ENTITY_TYPES.map((id) => ({ id, label: entityTypeLabel(id) }))} />
)
const Health = (props: ChooserProps) => <Chooser {...props} options={Object.entries(HEALTH_LABELS).map(([id, label]) => ({ id, label }))} />
const Tags = (props: ChooserProps) => <Chooser {...props} {...useTagOptions()} />
const Teams = (props: ChooserProps) => <Chooser {...props} {...useTeamOptions()} />
const Groups = (props: ChooserProps) => <Chooser {...props} {...useGroupOptions()} />
const Integrations = (props: ChooserProps) => <Chooser {...props} {...useIntegrationOptions()} />
const People = (props: ChooserProps) => {
  const [opened, setOpened] = useState(false)
  return <Chooser {...props} {...usePeopleOptions(opened)} onOpen={() => setOpened(true)} />
}
const Terms = (props: ChooserProps) => {
  const [opened, setOpened] = useState(false)
  return <Chooser {...props} {...useTermOptions(opened)} onOpen={() => setOpened(true)} />
}
const Collections = (props: ChooserProps) => {
  const [opened, setOpened] = useState(false)
  return <Chooser {...props} {...useCollectionOptions(opened)} onOpen={() => setOpened(true)} />
}

const Databases = (props: ChooserProps) => {
  const [opened, setOpened] = useState(false)
  return <Chooser {...props} {...useContainerNameOptions('database', opened)} onOpen={() => setOpened(true)} />
}
const SchemaNames = (props: ChooserProps) => {
  const [opened, setOpened] = useState(false)
  return <Chooser {...props} {...useContainerNameOptions('schema', opened)} onOpen={() => setOpened(true)} />
}

const CHOICE_VALUES = {
  entity_type: EntityTypes,
  people: People,
  groups: Groups,
  tags: Tags,
  teams: Teams,
  terms: Terms,
  collections: Collections,
  integrations: Integrations,
  health: Health,
  databases: Databases,
  schemas: SchemaNames,
}

interface Choices extends ChooserProps, Partial<Omit<PickerOptions, 'options'>> {
  readonly options: readonly Option[]
  readonly onOpen?: () => void
}

const Chooser = ({ field, values, names, errorId, options, onSearch, searching, onOpen, onChange }: Choices) => (
  <Picker
    label={t('Value of {field}', { field: field.label })}
    options={options}
    onSearch={onSearch}
    searching={searching}
    onOpen={onOpen}
    chosen={values}
    onToggle={(id) => onChange(values.includes(id) ? values.filter((each) => each !== id) : [...values, id])}
    trigger={(props) => (
      <button
        type="button"
        {...props}
        aria-describedby={errorId}
        className="inline-flex h-7 max-w-full min-w-0 items-center gap-1.5 rounded-md border border-line-strong/60 bg-bg px-2 text-sm"
      >
        <span className="sr-only">{t('Value of {field}', { field: field.label })}: </span>
        <span className="truncate" dir="auto">
          {values.length === 0 ? t('Choose…') : values.map((value) => names.value(field.name, value)).join(', ')}
        </span>
        <ChevronDown aria-hidden size={14} className="shrink-0 text-faint" />
      </button>
    )}
  />
)
