import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useNames } from '../../api/names.ts'
import { usePeopleOptions } from '../../api/picker-options.ts'
import { queryClient } from '../../api/query-client.ts'
import { useBootstrap } from '../../api/session.ts'
import type { CustomProperty, ResourceView } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { useResourceOptions } from '../../search/use-resource-options.ts'
import { Editable } from '../../ui/editable.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Picker } from '../../ui/picker.tsx'
import { showErrorToast } from '../../ui/toast.tsx'
import { TrustBadges } from '../../ui/trust-badges.tsx'
import { resourceQuery } from '../queries.ts'

const INPUT_TYPES: Partial<Record<CustomProperty['value_type'], string>> = { number: 'number', date: 'date', url: 'url' }

/** Custom properties: those with a value, and a menu to add others. */
export const Properties = ({ view }: { view: ResourceView }) => {
  const { resource, properties } = view
  const { properties: defined } = useBootstrap()
  const writes = resource.current_user_permissions.write
  const [opened, setOpened] = useState<readonly string[]>([])
  const set = useMutation({
    mutationFn: ({ id, value }: { id: string; value: string }) =>
      api.put(`/resource/all_v2/custom_properties/${id}/${resource.id}`, { value }),
    onError: (error) => showErrorToast(t('Not saved.'), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: resourceQuery(resource.id).queryKey }),
  })
  const applicable = defined.filter(({ entity_types }) => entity_types.includes('all') || entity_types.includes(resource.entity_type))
  const findValue = (id: string): string | undefined => properties.find(({ custom_property }) => custom_property === id)?.value
  const shown = applicable.filter(({ id }) => findValue(id) !== undefined || opened.includes(id))
  const others = applicable.filter((each) => !shown.includes(each))
  if (shown.length === 0 && (others.length === 0 || !writes)) return null
  return (
    <section className="grid gap-1.5 border-b border-line py-2.5">
      <div className="flex min-h-6 items-center justify-between">
        <h2 className="text-xs font-semibold text-faint">{t('Properties')}</h2>
        {writes && others.length > 0 && (
          <Menu
            label={t('Add property')}
            align="end"
            items={others.map(({ id, name }) => ({ label: name, onSelect: () => setOpened([...opened, id]) }))}
            trigger={(props) => (
              <button
                type="button"
                {...props}
                aria-label={t('Add property')}
                className="flex size-6 items-center justify-center rounded-md text-faint hover:bg-hover hover:text-ink"
              >
                <Plus aria-hidden size={15} />
              </button>
            )}
          />
        )}
      </div>
      {shown.length === 0 && <p className="text-faint">{t('None')}</p>}
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-center gap-x-3 gap-y-1">
        {shown.map((property) => (
          <div key={property.id} className="contents">
            <dt className="truncate text-faint" title={property.name}>
              {property.name}
            </dt>
            <dd className="min-w-0">
              <PropertyValue
                property={property}
                value={findValue(property.id) ?? ''}
                editable={writes}
                onSave={(value) => set.mutate({ id: property.id, value })}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface PropertyInputProps {
  readonly id: string
  readonly property: CustomProperty
  readonly value: string
  readonly onChange: (value: string) => void
}

const choicesOf = ({ value_type, options }: CustomProperty): readonly string[] | null =>
  value_type === 'boolean' ? ['true', 'false'] : value_type === 'select' ? options : null

/** A value in a form. */
export const PropertyInput = ({ property, value, onChange, ...props }: PropertyInputProps) => {
  const choices = choicesOf(property)
  if (property.value_type === 'user') return <UserValue name={property.name} value={value} editable onSave={onChange} />
  if (property.value_type === 'resource') return <ResourceValue name={property.name} value={value} editable onSave={onChange} />
  return choices ? (
    <Select {...props} value={value} onChange={({ target }) => onChange(target.value)}>
      <Choices of={choices} value={value} />
    </Select>
  ) : (
    <Input {...props} type={INPUT_TYPES[property.value_type]} value={value} onChange={({ target }) => onChange(target.value)} />
  )
}

const Choices = ({ of, value }: { of: readonly string[]; value: string }) => (
  <>
    <option value="">—</option>
    {[...new Set([...of, ...(value ? [value] : [])])].map((choice) => (
      <option key={choice} value={choice}>
        {choice === 'true' ? t('Yes') : choice === 'false' ? t('No') : choice}
      </option>
    ))}
  </>
)

interface PropertyValueProps {
  readonly property: CustomProperty
  readonly value: string
  readonly editable: boolean
  readonly onSave: (value: string) => void
}

const PropertyValue = ({ property, value, editable, onSave }: PropertyValueProps) => {
  const { name, value_type } = property
  if (value_type === 'user') return <UserValue name={name} value={value} editable={editable} onSave={onSave} />
  if (value_type === 'resource') return <ResourceValue name={name} value={value} editable={editable} onSave={onSave} />
  const choices = choicesOf(property)
  if (editable && choices)
    return (
      <Select aria-label={name} value={value} onChange={({ target }) => onSave(target.value)} small>
        <Choices of={choices} value={value} />
      </Select>
    )
  const link = value_type === 'url' && !editable && /^https?:/i.test(value)
  return (
    <Editable label={name} type={INPUT_TYPES[value_type]} value={value} editable={editable} onSave={onSave} className="w-full">
      {link ? (
        <a href={value} target="_blank" rel="noopener noreferrer" className="text-accent hover:underline">
          {value}
        </a>
      ) : undefined}
    </Editable>
  )
}

const ResourceValue = ({ name, value, editable, onSave }: Omit<PropertyValueProps, 'property'> & { name: string }) => {
  const found = useResourceOptions()
  const title = useNames(value ? [value] : [])(value)?.name
  const options = found.options.length === 0 && value ? [{ id: value, label: title ?? value, resource: true }] : found.options
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {value && (
        <Link to="/r/$id" params={{ id: value }} className="min-w-0 truncate text-accent hover:underline" dir="auto">
          {title ?? value}
        </Link>
      )}
      {value && <TrustBadges id={value} size={13} />}
      {editable && (
        <Picker
          single
          label={name}
          {...found}
          options={options}
          chosen={value ? [value] : []}
          onToggle={(id) => onSave(id === value ? '' : id)}
          trigger={(props) => (
            <button
              type="button"
              {...props}
              aria-label={t('Choose a resource for {name}', { name })}
              className="flex size-6 shrink-0 items-center justify-center rounded-md text-faint hover:bg-hover hover:text-ink"
            >
              <ChevronDown aria-hidden size={14} />
            </button>
          )}
        />
      )}
    </span>
  )
}

const UserValue = ({ name, value, editable, onSave }: Omit<PropertyValueProps, 'property'> & { name: string }) => {
  const [hasOpened, setHasOpened] = useState(false)
  const people = usePeopleOptions(hasOpened)
  const shownName = useNames(value ? [value] : [])(value)?.name ?? value
  if (!editable) return <span className="truncate">{shownName}</span>
  return (
    <Picker
      single
      label={name}
      {...people}
      chosen={value ? [value] : []}
      onOpen={() => setHasOpened(true)}
      onToggle={(id) => onSave(id === value ? '' : id)}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          aria-label={name}
          className="-mx-1.5 min-w-0 truncate rounded-md px-1.5 py-0.5 text-start hover:bg-hover"
        >
          {shownName || '—'}
        </button>
      )}
    />
  )
}
