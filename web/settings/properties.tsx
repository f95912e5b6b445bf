import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { entityTypeLabel, entityTypePluralLabel, KNOWN_ENTITY_TYPES } from '../ui/entity-type.tsx'
import { Field, Input, Select, TextArea } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Picker } from '../ui/picker.tsx'
import { EmptyState } from '../ui/states.tsx'
import { type CustomProperty, propertiesQuery } from './shared/queries.ts'
import { SettingsList, SettingsListRow } from './shared/settings-list.tsx'
import { useSettingsMutation } from './shared/use-settings-mutation.ts'

const PROPERTIES_PATH = '/resource/all_v2/custom_properties/'
const STALE_KEYS = ['properties', 'bootstrap', 'resource']
const VALUE_TYPE_LABELS: Record<CustomProperty['value_type'], string> = {
  string: t('Text'),
  number: t('Number'),
  boolean: t('Checkbox'),
  date: t('Date'),
  select: t('Single select'),
  multi_select: t('Multi-select'),
  user: t('Person'),
  resource: t('Resource'),
  tag: t('Tag'),
  url: t('URL'),
}
const hasOptions = (type: CustomProperty['value_type']) => type === 'select' || type === 'multi_select'

/** Custom properties of the workspace. */
export const Properties = () => (
  <SettingsList
    title={t('Properties')}
    about={t('Custom fields for all resources or for some types.')}
    add={t('New property')}
    of={useQuery(propertiesQuery)}
    empty={
      <EmptyState icon={SlidersHorizontal} title={t('No properties yet')}>
        {t('For example a tier, a cost center or a review date.')}
      </EmptyState>
    }
    row={(property) => (
      <SettingsListRow
        name={property.name}
        badge={<Badge>{VALUE_TYPE_LABELS[property.value_type]}</Badge>}
        about={[formatEntityTypes(property.entity_types), property.options?.join(', ')].filter(Boolean).join(' · ')}
        path={`${PROPERTIES_PATH}${property.id}`}
        staleKeys={STALE_KEYS}
        deleteWarning={t('This also deletes its values on all resources.')}
        form={(onClose) => <EditProperty property={property} onClose={onClose} />}
      />
    )}
    form={(onClose) => <EditProperty onClose={onClose} />}
  />
)

const formatEntityTypes = (types: readonly string[]): string =>
  types.length === 0 || types.includes('all') ? t('All types') : types.map(entityTypePluralLabel).join(', ')

const EditProperty = ({ property, onClose }: { property?: CustomProperty; onClose: () => void }) => {
  const [name, setName] = useState(property?.name ?? '')
  const [type, setType] = useState<CustomProperty['value_type']>(property?.value_type ?? 'string')
  const [options, setOptions] = useState(property?.options?.join('\n') ?? '')
  const [kinds, setKinds] = useState<readonly string[]>(property?.entity_types.filter((each) => each !== 'all') ?? [])
  const write = useSettingsMutation({
    perform: () => {
      const listed = options.split('\n').flatMap((line) => line.trim() || [])
      const body = {
        name: name.trim(),
        value_type: type,
        entity_types: kinds,
        options: hasOptions(type) && listed.length > 0 ? listed : null,
      }
      return property ? api.patch(`${PROPERTIES_PATH}${property.id}`, body) : api.post(PROPERTIES_PATH, body)
    },
    staleKeys: STALE_KEYS,
    done: t('Saved'),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={property ? t('Edit {name}', { name: property.name }) : t('New property')}
      submit={t('Save')}
      onClose={onClose}
      write={write}
    >
      {(errors) => (
        <>
          <Field label={t('Name')} error={errors.name}>
            {(props) => (
              <Input {...props} required maxLength={255} data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
            )}
          </Field>
          <Field label={t('Type')} error={errors.value_type}>
            {(props) => (
              <Select {...props} value={type} onChange={({ target }) => setType(target.value as typeof type)}>
                {Object.entries(VALUE_TYPE_LABELS).map(([id, label]) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {hasOptions(type) && (
            <Field label={t('Options')} hint={t('One per line. Leave blank to allow any text.')} error={errors.options}>
              {(props) => <TextArea {...props} rows={5} value={options} onChange={({ target }) => setOptions(target.value)} />}
            </Field>
          )}
          <div className="grid gap-1">
            <span className="text-sm font-medium">{t('Resource types')}</span>
            <p className="text-sm text-soft">{formatEntityTypes(kinds)}</p>
            <Picker
              label={t('Resource types')}
              options={KNOWN_ENTITY_TYPES.map((id) => ({ id, label: entityTypeLabel(id) }))}
              chosen={kinds}
              onToggle={(id) => setKinds((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now, id]))}
              trigger={(props) => (
                <Button {...props} small className="justify-self-start">
                  {t('Select types')}
                </Button>
              )}
            />
          </div>
        </>
      )}
    </FormDialog>
  )
}
