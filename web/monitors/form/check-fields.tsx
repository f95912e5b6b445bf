import { t } from '../../i18n/messages.ts'
import { Checkbox, Field, Input, TextArea } from '../../ui/field.tsx'
import type { Monitor } from '../queries.ts'
import { parseNumber } from './condition.tsx'

/** What a check needs to know, as typed. */
export interface CheckDraft {
  /** One per line. */
  readonly values: string
  readonly pattern: string
  readonly min_value: string
  readonly max_value: string
  readonly columns: readonly string[]
  readonly references: string
  readonly allowed: readonly SchemaChangeKind[]
  readonly days: string
}

type Config = Monitor['metric_config']
type SchemaChangeKind = NonNullable<Config['allowed']>[number]

const SCHEMA_CHANGES: Record<SchemaChangeKind, string> = {
  added: t('New columns'),
  dropped: t('Dropped columns'),
  retyped: t('Different types'),
  renamed: t('Renamed columns'),
  reordered: t('Different order of columns'),
  nullability: t('Changed nullability'),
}

export const toCheckDraft = ({
  values = [],
  pattern = '',
  min_value,
  max_value,
  columns = [],
  references = '',
  allowed = ['added', 'reordered'],
  days = 30,
}: Config): CheckDraft => ({
  values: values.join('\n'),
  pattern,
  min_value: min_value?.toString() ?? '',
  max_value: max_value?.toString() ?? '',
  columns,
  references,
  allowed,
  days: String(days),
})

const CHECK_FIELDS: Partial<Record<Monitor['metric_type'], readonly (keyof CheckDraft)[]>> = {
  accepted_values: ['values'],
  pattern: ['pattern'],
  range: ['min_value', 'max_value'],
  duplicates: ['columns'],
  referential: ['references'],
  schema: ['allowed'],
  partition_gaps: ['days'],
}
export const isCheck = (metric: Monitor['metric_type']): boolean => CHECK_FIELDS[metric] !== undefined

const parseLines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** The fields of this check, as the API takes them. */
export const toCheckConfig = (metric: Monitor['metric_type'], draft: CheckDraft) => {
  const all = {
    values: parseLines(draft.values),
    pattern: draft.pattern.trim() || null,
    min_value: parseNumber(draft.min_value),
    max_value: parseNumber(draft.max_value),
    columns: draft.columns.length > 0 ? draft.columns : null,
    references: draft.references.trim() || null,
    allowed: draft.allowed,
    days: parseNumber(draft.days),
  }
  return Object.fromEntries((CHECK_FIELDS[metric] ?? []).map((field) => [field, all[field]]))
}

export const isCheckComplete = (metric: Monitor['metric_type'], draft: CheckDraft): boolean => {
  if (metric === 'accepted_values') return parseLines(draft.values).length > 0
  if (metric === 'pattern') return draft.pattern.trim() !== ''
  if (metric === 'referential') return draft.references.trim() !== ''
  if (metric === 'range') return parseNumber(draft.min_value) !== null || parseNumber(draft.max_value) !== null
  return true
}

export const formatCheck = (metric: Monitor['metric_type'], config: Config): string => {
  const { values = [], pattern = '', min_value, max_value, columns = [], references = '', allowed, days = 30 } = config
  if (metric === 'accepted_values') return values.join(', ')
  if (metric === 'pattern') return pattern
  if (metric === 'range') return `${min_value ?? '…'} – ${max_value ?? '…'}`
  if (metric === 'duplicates') return columns.join(', ')
  if (metric === 'referential') return references
  if (metric === 'partition_gaps') return t('{n:# day|# days} before today', { n: days })
  return (
    toCheckDraft({ allowed })
      .allowed.map((kind) => SCHEMA_CHANGES[kind])
      .join(', ') || t('none')
  )
}

export const CHECK_LABELS: Partial<Record<Monitor['metric_type'], string>> = {
  accepted_values: t('Accepted values'),
  pattern: t('Pattern'),
  range: t('Allowed range'),
  duplicates: t('Key columns'),
  referential: t('Referenced column'),
  schema: t('Allowed changes'),
  partition_gaps: t('Days to check'),
}

interface CheckFieldsProps {
  readonly metric: Monitor['metric_type']
  readonly value: CheckDraft
  readonly onChange: (value: CheckDraft) => void
  /** Titles of the columns of the table. */
  readonly columns: readonly string[]
  readonly errors?: Readonly<Record<string, string[]>>
}

const EXAMPLE_PATTERN = '^[A-Z]{2}-[0-9]+$'
const EXAMPLE_REFERENCE = 'shop.public.customers.id'

export const CheckFields = ({ metric, value, onChange, columns, errors = {} }: CheckFieldsProps) => {
  const label = CHECK_LABELS[metric] ?? ''
  const input = (
    field: 'pattern' | 'references' | 'min_value' | 'max_value' | 'days',
    name: string,
    hint?: string,
    placeholder?: string,
  ) => (
    <Field label={name} hint={hint} error={errors[`metric_config.${field}`]}>
      {(props) => (
        <Input
          {...props}
          className="font-mono text-xs"
          placeholder={placeholder}
          value={value[field]}
          onChange={({ target }) => onChange({ ...value, [field]: target.value })}
        />
      )}
    </Field>
  )
  if (metric === 'accepted_values')
    return (
      <Field label={label} hint={t('One per line.')} error={errors['metric_config.values']}>
        {(props) => (
          <TextArea
            {...props}
            rows={4}
            spellCheck={false}
            className="font-mono text-xs"
            value={value.values}
            onChange={({ target }) => onChange({ ...value, values: target.value })}
          />
        )}
      </Field>
    )
  if (metric === 'pattern') return input('pattern', label, t('A regular expression of the source.'), EXAMPLE_PATTERN)
  if (metric === 'referential') return input('references', label, t('Full title of a column of the same source.'), EXAMPLE_REFERENCE)
  if (metric === 'partition_gaps') return input('days', label, t('Days before today that must have a partition.'))
  if (metric === 'range')
    return (
      <div className="grid gap-3 sm:grid-cols-2">
        {input('min_value', t('Smallest allowed value'))}
        {input('max_value', t('Largest allowed value'))}
      </div>
    )
  const [options, chosen, set] =
    metric === 'schema'
      ? [
          Object.entries(SCHEMA_CHANGES),
          value.allowed,
          (allowed: string[]) => onChange({ ...value, allowed: allowed as SchemaChangeKind[] }),
        ]
      : [columns.map((title) => [title, title] as const), value.columns, (titles: string[]) => onChange({ ...value, columns: titles })]
  return (
    <Choices
      label={label}
      hint={metric === 'duplicates' ? t('If none is selected, the primary key is used.') : t('Changes of the other kinds count.')}
      error={errors[`metric_config.${metric === 'schema' ? 'allowed' : 'columns'}`]}
      options={options}
      chosen={chosen}
      onChange={set}
    />
  )
}

interface ChoicesProps {
  readonly label: string
  readonly hint: string
  readonly error: string[] | undefined
  readonly options: readonly (readonly [id: string, label: string])[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
}

const Choices = ({ label, hint, error, options, chosen, onChange }: ChoicesProps) => (
  <fieldset className="grid gap-1">
    <legend className="text-sm font-medium">{label}</legend>
    <div className="grid max-h-48 gap-x-3 overflow-auto rounded-md border border-line p-2 sm:grid-cols-2">
      {options.map(([id, text]) => (
        <label key={id} className="inline-flex min-h-7 min-w-0 items-center gap-2 text-sm">
          <Checkbox
            checked={chosen.includes(id)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))}
          />
          <span className="truncate" dir="auto">
            {text}
          </span>
        </label>
      ))}
    </div>
    <p className={error ? 'text-xs text-bad first-letter:uppercase' : 'text-xs text-faint'}>{error?.join(' ') ?? hint}</p>
  </fieldset>
)
