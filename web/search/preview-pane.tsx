import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowUpRight, X } from 'lucide-react'
import { useNames } from '../api/names.ts'
import { getOwnerIds } from '../api/owners.ts'
import { TermCards, TermLink } from '../glossary/term-links.tsx'
import { pluralize, t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { columnsQuery, resourceQuery } from '../resources/queries.ts'
import { Person } from '../ui/avatar.tsx'
import { TagChip } from '../ui/badge.tsx'
import { buttonClass, IconButton } from '../ui/button.tsx'
import { EntityTypeIcon, entityTypeLabel } from '../ui/entity-type.tsx'
import { Flags } from '../ui/flags.tsx'
import { ErrorView, Skeleton } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import type { Row } from './queries.ts'

const MAX_PREVIEW_COLUMNS = 20

/** Preview of a result without leaving the list. */
export const PreviewPane = ({ id, row, onClose }: { id: string; row?: Row; onClose: () => void }) => {
  const fetched = useQuery({ ...resourceQuery(id), enabled: row === undefined })
  const resource = row ?? fetched.data?.resource
  return (
    <aside
      aria-label={t('Quick preview')}
      className="flex w-[23rem] shrink-0 flex-col overflow-auto border-s border-line bg-bg max-lg:absolute max-lg:inset-y-0 max-lg:end-0 max-lg:z-20 max-lg:w-full max-lg:max-w-[23rem] max-lg:shadow-float"
    >
      {resource ? (
        <PreviewContent resource={resource} onClose={onClose} />
      ) : fetched.error ? (
        <ErrorView error={fetched.error} />
      ) : (
        <Skeleton className="p-4" />
      )}
    </aside>
  )
}

const PreviewContent = ({ resource, onClose }: { resource: Row; onClose: () => void }) => {
  const { id, title, title_full, entity_type, description, definition, tags, terms, updated_at, children_count } = resource
  const owners = getOwnerIds(resource)
  const names = useNames([...owners, ...tags, ...terms])
  const columns = useQuery({ ...columnsQuery(id), enabled: entity_type === 'table' && children_count > 0 })
  const present = columns.data?.results.filter(({ stale }) => !stale) // as the page counts them
  return (
    <>
      <header className="flex items-start gap-2 border-b border-line p-4">
        <EntityTypeIcon type={entity_type} size={18} className="mt-1" />
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-1.5 text-base font-semibold break-words" dir="auto">
            {title} <Flags {...resource} />
          </h2>
          <p className="text-xs break-words text-faint">{title_full}</p>
        </div>
        <Link to="/r/$id" params={{ id }} className={buttonClass('plain', true)}>
          {t('Open')} <ArrowUpRight aria-hidden size={14} />
        </Link>
        <IconButton label={t('Close preview')} icon={X} onClick={onClose} />
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        {description && (
          <p className="text-sm wrap-anywhere" dir="auto">
            {description}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-soft">
          {owners.map((owner) => {
            const name = names(owner)?.name
            return name && <Person key={owner} name={name} />
          })}
          {tags.map((tag) => {
            const named = names(tag)
            return named && <TagChip key={tag} name={named.name} color={named.color} />
          })}
          <TermCards className="contents">
            {terms.map((term) => {
              const name = names(term)?.name
              return name && <TermLink key={term} id={term} name={name} />
            })}
          </TermCards>
        </div>
        <p className="text-xs text-faint">
          {entityTypeLabel(entity_type)} · <Trans message="updated {when}" when={<RelativeTime at={updated_at} />} />
          {children_count > 0 &&
            ` · ${entity_type === 'table' ? pluralize(present?.length ?? children_count, 'column') : pluralize(children_count, 'child', 'children')}`}
        </p>
        {definition && (
          <div className="border-t border-line pt-4 text-sm">
            <Markdown text={definition} />
          </div>
        )}
        {present && (
          <ul className="grid border-t border-line pt-3">
            {present.slice(0, MAX_PREVIEW_COLUMNS).map((column) => (
              <li key={column.id} className="flex gap-3 py-0.5 text-sm">
                <span className="min-w-0 flex-1 truncate">{column.title}</span>
                <span className="truncate font-mono text-xs text-faint">{column.type}</span>
              </li>
            ))}
            {present.length > MAX_PREVIEW_COLUMNS && (
              <li className="pt-1 text-sm">
                <Link to="/r/$id" params={{ id }} search={{ tab: 'columns' }} className="text-accent hover:underline">
                  {t('and {n:# other|# others}', { n: present.length - MAX_PREVIEW_COLUMNS })}
                </Link>
              </li>
            )}
          </ul>
        )}
      </div>
    </>
  )
}
