import { ListFilter, X } from 'lucide-react'
import { useMemo } from 'react'
import { t } from '../../i18n/messages.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { describeFilter, parseFilter } from './filter-model.ts'
import { useFilterNames } from './use-filter-fields.ts'

/** The filter of the URL as readable text. */
export const FilterBar = ({ filter, onEdit, onRemove }: { filter: string; onEdit: () => void; onRemove: () => void }) => {
  const parsed = useMemo(() => parseFilter(filter), [filter])
  const names = useFilterNames(parsed)
  return (
    <section aria-label={t('Filter')} className="flex items-center gap-2 border-b border-line bg-sunken px-4 py-1.5">
      <ListFilter aria-hidden size={15} className="shrink-0 text-faint" />
      <p className="line-clamp-2 min-w-0 flex-1 text-sm break-words" dir="auto">
        {parsed ? describeFilter(parsed, names) : t('The filter in this link is not valid.')}
      </p>
      <Button small look="quiet" onClick={onEdit}>
        {t('Edit filter')}
      </Button>
      <IconButton label={t('Remove filter')} icon={X} onClick={onRemove} />
    </section>
  )
}
