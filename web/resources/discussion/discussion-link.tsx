import { Link } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import { useCan } from '../../api/session.ts'
import type { Column } from '../../api/types.ts'
import { t } from '../../i18n/messages.ts'
import { cx } from '../../ui/cx.ts'

/** Opens the discussion of the table, to comment on this column. */
export const DiscussionLink = ({ column: { id, title }, open }: { column: Column; open: number }) => {
  const canWrite = useCan('questions.ask')
  if (open === 0 && !canWrite) return null
  const label = open === 0 ? t('Comment on {title}', { title }) : t('{title}: {n:# open discussion|# open discussions}', { title, n: open })
  return (
    <Link
      to="/r/$id"
      from="/r/$id"
      params={(before) => before}
      search={{ tab: 'discussion', about: id }}
      aria-label={label}
      title={label}
      className={cx(
        'flex h-6 min-w-6 shrink-0 items-center justify-center gap-0.5 rounded-md text-xs tabular-nums hover:bg-bg',
        open > 0 ? 'text-accent' : 'text-faint opacity-0 group-hover/name:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      <MessageSquare aria-hidden size={13} />
      {open > 0 && open}
    </Link>
  )
}
