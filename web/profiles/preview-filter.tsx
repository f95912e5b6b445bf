import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { PreviewOperator } from '../../src/observability/profiles/schema.ts'
import { t } from '../i18n/messages.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Input, Select } from '../ui/field.tsx'
import { useValidity } from '../ui/use-validity.ts'
import type { PreviewFilter } from './queries.ts'
import type { TableColumn } from './rows-table.tsx'

const OPERATORS: readonly { readonly id: PreviewOperator; readonly label: string }[] = [
  { id: 'equals', label: t('is') },
  { id: 'not_equals', label: t('is not') },
  { id: 'contains', label: t('contains') },
  { id: 'greater', label: t('is greater than') },
  { id: 'less', label: t('is less than') },
  { id: 'is_empty', label: t('is empty') },
  { id: 'is_not_empty', label: t('is not empty') },
]

const takesValue = (operator: PreviewOperator): boolean => operator !== 'is_empty' && operator !== 'is_not_empty'

interface PreviewFilterProps {
  /** Those that can be filtered by. */
  readonly columns: readonly TableColumn[]
  readonly filter: PreviewFilter | undefined
  readonly wrong: readonly string[] | undefined
  readonly onChange: (filter: PreviewFilter | undefined) => void
}

/** A condition on one column, which the source applies. */
export const PreviewFilterForm = ({ columns, filter, wrong, onChange }: PreviewFilterProps) => {
  const [draft, setDraft] = useState<PreviewFilter>(filter ?? { column: columns[0]?.key ?? '', operator: 'equals', value: '' })
  const { message, events } = useValidity()
  const apply = (event: FormEvent) => {
    event.preventDefault()
    onChange(draft)
  }
  return (
    <form aria-label={t('Filter rows')} onSubmit={apply} {...events} className="flex flex-wrap items-center gap-1.5">
      <Select
        small
        fit
        aria-label={t('Column')}
        className="max-w-44"
        value={draft.column}
        onChange={({ currentTarget: { value } }) => setDraft({ ...draft, column: value })}
      >
        {columns.map(({ key, title }) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </Select>
      <Select
        small
        fit
        aria-label={t('Operator')}
        value={draft.operator}
        onChange={({ currentTarget: { value } }) => setDraft({ ...draft, operator: value as PreviewOperator })}
      >
        {OPERATORS.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </Select>
      {takesValue(draft.operator) && (
        <Input
          small
          fit
          aria-label={t('Value')}
          aria-invalid={message || wrong ? true : undefined}
          className="w-36"
          required
          value={draft.value}
          onChange={({ currentTarget: { value } }) => setDraft({ ...draft, value })}
        />
      )}
      <Button small type="submit">
        {t('Filter')}
      </Button>
      {filter && <IconButton label={t('Remove filter')} icon={X} onClick={() => onChange(undefined)} />}
      {(message || wrong) && (
        <p role="alert" className="w-full text-sm text-bad">
          {message ?? wrong?.join(' ')}
        </p>
      )}
    </form>
  )
}
