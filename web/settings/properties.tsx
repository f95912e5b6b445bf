import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field, Input, Select, TextArea } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { KINDS_KNOWN, kindName, kindNames } from '../ui/kind.tsx'
import { Picker } from '../ui/picker.tsx'
import { Empty } from '../ui/states.tsx'
import { t } from '../words/words.ts'
import { Managed, ManagedRow } from './managed.tsx'
import { type CustomProperty, propertiesQuery } from './queries.ts'
import { useWrite } from './use-write.ts'

const PATH = '/resource/all_v2/custom_properties/'
const OLD = ['properties', 'bootstrap', 'resource']
const TYPES: Record<CustomProperty['value_type'], string> = {
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
const chooses = (type: CustomProperty['value_type']) => type === 'select' || type === 'multi_select'

/** Custom properties of the workspace. */
export const Properties = () => (
  <Managed
    title={t('Properties')}
    about={t('Custom fields for all resources or for some types.')}
    add={t('New property')}
    of={useQuery(propertiesQuery)}
    empty={
      <Empty icon={SlidersHorizontal} title={t('No properties yet')}>
        {t('For example a tier, a cost center or a review date.')}
      </Empty>
    }
    row={(property) => (
      <ManagedRow
        name={property.name}
        badge={<Badge>{TYPES[property.value_type]}</Badge>}
        about={[kindsWords(property.entity_types), property.options?.join(', ')].filter(Boolean).join(' · ')}
        path={`${PATH}${property.id}`}
        old={OLD}
        lost={t('This also deletes its values on all resources.')}
        form={(onClose) => <Edit property={property} onClose={onClose} />}
      />
    )}
    form={(onClose) => <Edit onClose={onClose} />}
  />
)

const kindsWords = (types: readonly string[]): string =>
  types.length === 0 || types.includes('all') ? t('All types') : types.map(kindNames).join(', ')

const Edit = ({ property, onClose }: { property?: CustomProperty; onClose: () => void }) => {
  const [name, setName] = useState(property?.name ?? '')
  const [type, setType] = useState<CustomProperty['value_type']>(property?.value_type ?? 'string')
  const [options, setOptions] = useState(property?.options?.join('\n') ?? '')
  const [kinds, setKinds] = useState<readonly string[]>(property?.entity_types.filter((each) => each !== 'all') ?? [])
  const write = useWrite({
    perform: () => {
      const listed = options.split('\n').flatMap((line) => line.trim() || [])
      const body = { name: name.trim(), value_type: type, entity_types: kinds, options: chooses(type) && listed.length > 0 ? listed : null }
      return property ? api.patch(`${PATH}${property.id}`, body) : api.post(PATH, body)
    },
    old: OLD,
    done: t('Saved'),
    onDone: onClose,
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
                {Object.entries(TYPES).map(([id, label]) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {chooses(type) && (
            <Field label={t('Options')} hint={t('One per line. Leave blank to allow any text.')} error={errors.options}>
              {(props) => <TextArea {...props} rows={5} value={options} onChange={({ target }) => setOptions(target.value)} />}
            </Field>
          )}
          <div className="grid gap-1">
            <span className="text-sm font-medium">{t('Resource types')}</span>
            <p className="text-sm text-soft">{kindsWords(kinds)}</p>
            <Picker
              label={t('Resource types')}
              options={KINDS_KNOWN.map((id) => ({ id, label: kindName(id) }))}
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
