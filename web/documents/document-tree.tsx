import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, FileText } from 'lucide-react'
import { useState } from 'react'
import type { Resource } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { ErrorView, Skeleton } from '../ui/states.tsx'
import { documentListQuery } from './queries.ts'

interface DocumentTreeLevelProps {
  readonly parent: string | null
  readonly depth: number
  readonly chosen?: string
  /** Ancestors of the selected document: expanded initially. */
  readonly path: readonly string[]
}

/** The children of a document, or the top level; each level is fetched when expanded. */
export const DocumentTreeLevel = ({ parent, depth, chosen, path }: DocumentTreeLevelProps) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    documentListQuery({ entity_type: 'document', parent }),
  )
  if (error && !data) return <ErrorView error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={depth === 0 ? 5 : 1} className="p-2" />
  const documents = data.pages.flatMap(({ results }) => results)
  if (documents.length === 0) return null
  return (
    <ul className={cx('grid grid-cols-[minmax(0,1fr)]', depth > 0 && 'ms-3 border-s border-line ps-1')}>
      {documents.map((document) => (
        <DocumentTreeItem key={document.id} document={document} depth={depth} chosen={chosen} path={path} />
      ))}
      {hasNextPage && (
        <li>
          <Button small look="quiet" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('More')}
          </Button>
        </li>
      )}
    </ul>
  )
}

const DocumentTreeItem = ({
  document: { id, title, children_count },
  depth,
  chosen,
  path,
}: { document: Resource } & Omit<DocumentTreeLevelProps, 'parent'>) => {
  const isAncestor = path.includes(id)
  const [toggled, setToggled] = useState<boolean>()
  const open = toggled ?? isAncestor
  return (
    <li>
      <div className={cx('flex h-8 items-center rounded-md hover:bg-hover', id === chosen && 'bg-accent-soft font-medium text-accent')}>
        <button
          type="button"
          aria-expanded={open}
          aria-label={t('Documents in {title}', { title })}
          onClick={() => setToggled(!open)}
          className={cx(
            'flex size-7 shrink-0 items-center justify-center rounded text-faint hover:text-ink',
            children_count === 0 && 'invisible',
          )}
        >
          <ChevronRight aria-hidden size={15} className={cx('transition-transform', open && 'rotate-90')} />
        </button>
        <Link
          to="/documents/$id"
          params={{ id }}
          aria-current={id === chosen ? 'page' : undefined}
          className="flex h-full min-w-0 flex-1 items-center gap-2 pe-2 text-sm"
          title={title}
        >
          <FileText aria-hidden size={15} className="shrink-0 text-faint" />
          <span className="truncate" dir="auto">
            {title}
          </span>
        </Link>
      </div>
      {open && children_count > 0 && <DocumentTreeLevel parent={id} depth={depth + 1} chosen={chosen} path={path} />}
    </li>
  )
}
