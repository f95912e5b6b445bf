import { Plus, X } from 'lucide-react'
import type { Column } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Picker } from '../../ui/picker.tsx'

interface ColumnsPickerProps {
  readonly columns: readonly Pick<Column, 'id' | 'title' | 'type'>[]
  readonly chosen: readonly string[]
  readonly loading: boolean
  readonly onChange: (ids: readonly string[]) => void
}

/** Picker for columns of a table. */
export const ColumnsPicker = ({ columns, chosen, loading, onChange }: ColumnsPickerProps) => {
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])
  return (
    <div role="group" aria-label={t('Columns to drop')} className="flex flex-wrap items-center gap-1.5">
      {chosen.map((id) => {
        const title = columns.find((column) => column.id === id)?.title ?? (loading ? '…' : t('Unknown column'))
        return (
          <span key={id} className="inline-flex h-7 max-w-64 items-center rounded-md border border-line bg-raised ps-2 font-mono text-xs">
            <span className="truncate line-through" dir="auto">
              {title}
            </span>
            <button
              type="button"
              aria-label={t('Remove {column}', { column: title })}
              onClick={() => toggle(id)}
              className="flex size-7 shrink-0 items-center justify-center rounded-md text-faint hover:text-ink"
            >
              <X aria-hidden size={13} />
            </button>
          </span>
        )
      })}
      <Picker
        label={t('Columns')}
        options={columns.map(({ id, title, type }) => ({ id, label: title, hint: type ?? undefined }))}
        chosen={chosen}
        onToggle={toggle}
        trigger={(props) => (
          <button type="button" {...props} className={buttonClass('plain', true)}>
            <Plus aria-hidden size={14} /> {chosen.length === 0 ? t('Select columns') : t('Add more')}
          </button>
        )}
      />
    </div>
  )
}
