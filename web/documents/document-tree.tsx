import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, FileText, LayoutTemplate } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { ErrorView, Skeleton } from '../ui/states.tsx'
import { handleMoveKeys, MoveMenu, useMoves } from './move-menu.tsx'
import { type DocumentRecord, documentListQuery } from './queries.ts'
import { TreeStateProvider, useDragHandlers, useTreeState } from './tree-state.tsx'

interface TreeProps {
  readonly chosen?: string
  /** Ancestors of the selected document: expanded initially. */
  readonly path: readonly string[]
}

/** The tree of documents; those who can edit them move them by dragging or with a menu. */
export const DocumentTree = (props: TreeProps) => (
  <TreeStateProvider>
    <DocumentTreeLevel {...props} ancestors={TOP} />
  </TreeStateProvider>
)
const TOP: readonly string[] = []

interface LevelProps extends TreeProps {
  /** From the top level down to the parent. */
  readonly ancestors: readonly string[]
}

/** The children of a document, or the top level; each level is fetched when expanded. */
const DocumentTreeLevel = ({ ancestors, ...rest }: LevelProps) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    documentListQuery({ entity_type: 'document', parent: ancestors.at(-1) ?? null }),
  )
  if (error && !data) return <ErrorView error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={ancestors.length === 0 ? 5 : 1} className="p-2" />
  const documents = data.pages.flatMap(({ results }) => results)
  if (documents.length === 0) return null
  return (
    <ul className={cx('grid grid-cols-[minmax(0,1fr)]', ancestors.length > 0 && 'ms-3 border-s border-line ps-1')}>
      {documents.map((document) => (
        <DocumentTreeItem key={document.id} document={document} siblings={documents} ancestors={ancestors} {...rest} />
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

interface ItemProps extends LevelProps {
  readonly document: DocumentRecord
  readonly siblings: readonly DocumentRecord[]
}

const PLACES = {
  before: 'shadow-[0_-2px_0_0_var(--color-accent)]',
  after: 'shadow-[0_2px_0_0_var(--color-accent)]',
  inside: 'outline-2 -outline-offset-2 outline-accent',
} as const

const DocumentTreeItem = ({ document, siblings, ancestors, chosen, path }: ItemProps) => {
  const { id, title, children_count, is_template, current_user_permissions } = document
  const state = useTreeState()
  const [toggled, setToggled] = useState<boolean>()
  const open = toggled ?? (path.includes(id) || state.opened.has(id))
  const moves = useMoves(document, siblings, ancestors)
  const handlers = useDragHandlers(document, ancestors)
  const writes = current_user_permissions.write
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    // The browser takes the focus from an element that is moved.
    if (state.moved === id && window.document.activeElement === window.document.body) link.current?.focus()
  })
  const Icon = is_template ? LayoutTemplate : FileText
  return (
    <li>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the menu of the row does the same */}
      <div
        {...(writes && handlers)}
        onKeyDown={(event) => writes && handleMoveKeys(event, moves)}
        className={cx(
          'group/row flex h-8 items-center rounded-md hover:bg-hover',
          id === chosen && 'bg-accent-soft font-medium text-accent',
          state.dragged?.id === id && 'opacity-50',
          state.over?.id === id && PLACES[state.over.place],
        )}
      >
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
          ref={link}
          to="/documents/$id"
          params={{ id }}
          draggable={false}
          aria-current={id === chosen ? 'page' : undefined}
          className="flex h-full min-w-0 flex-1 items-center gap-2 pe-2 text-sm"
          title={title}
        >
          <Icon aria-hidden size={15} className="shrink-0 text-faint" />
          <span className="truncate" dir="auto">
            {title}
          </span>
          {is_template && <span className="sr-only">{t('Template')}</span>}
        </Link>
        {writes && <MoveMenu title={title} moves={moves} />}
      </div>
      {open && children_count > 0 && <DocumentTreeLevel ancestors={[...ancestors, id]} chosen={chosen} path={path} />}
    </li>
  )
}
