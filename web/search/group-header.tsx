import { ChevronRight } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { EntityTypeIcon, entityTypePluralLabel } from '../ui/entity-type.tsx'
import { formatCount } from '../ui/number.ts'
import type { ResultGroup } from './use-result-groups.ts'

/** Header above the best results of a type, with their number and a button that shows all of them. */
export const GroupHeader = ({ of: { type, rows, count, capped }, onAll }: { of: ResultGroup; onAll: (type: string) => void }) => {
  const number = count === undefined ? '' : `${formatCount(count)}${capped ? '+' : ''}`
  const hasMore = count !== undefined && count > rows.length
  return (
    <div role="row" className="flex h-9 items-center border-b border-line bg-sunken px-4">
      <div role="gridcell" className="flex min-w-0 flex-1 items-center gap-2.5 md:sticky md:start-4 md:flex-none">
        <span className="inline-flex size-5 shrink-0 items-center justify-center">
          <EntityTypeIcon type={type} size={14} />
        </span>
        <h2 className="text-sm font-semibold">{entityTypePluralLabel(type)}</h2>
        {!hasMore && <span className="text-xs text-faint tabular-nums">{number}</span>}
        {hasMore && (
          <button
            type="button"
            onClick={() => onAll(type)}
            className="ms-auto inline-flex min-h-6 items-center gap-0.5 text-xs text-accent hover:underline md:ms-2"
          >
            {t('Show all {n}', { n: number })}
            <span className="sr-only"> {entityTypePluralLabel(type)}</span>
            <ChevronRight aria-hidden size={12} />
          </button>
        )}
      </div>
    </div>
  )
}
