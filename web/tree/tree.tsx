import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { api } from '../api/client.ts'
import { useBootstrap, useCan } from '../api/session.ts'
import type { ResultPage, Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { SourceIcon } from '../integrations/icon.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { formatApprox } from '../ui/number.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'
import { TrustSigns } from '../ui/trust-badges.tsx'

type TreeNode = Schemas['TreeNode']

/** Source → database → schema → table → column; each level is fetched when expanded. */
export const Tree = () => (
  <Page title={t('Browse')} about={t('Browse by source, database, and schema.')} narrow>
    <div role="tree" aria-label={t('Catalog')} className="rounded-lg border border-line py-1" onKeyDown={handleTreeKeys}>
      <TreeLevel depth={0} first />
    </div>
  </Page>
)

/** Keyboard navigation of the ARIA tree pattern. */
const handleTreeKeys = (event: KeyboardEvent<HTMLElement>): void => {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const at = items.indexOf((event.target as HTMLElement).closest<HTMLElement>('[role=treeitem]')!)
  const item = items[at]
  if (!item) return
  const expanded = item.getAttribute('aria-expanded')
  const toggle = () => item.querySelector<HTMLElement>('[data-toggle]')?.click()
  const steps: [string, () => void][] = [
    ['ArrowDown', () => items[at + 1]?.focus()],
    ['ArrowUp', () => items[at - 1]?.focus()],
    ['Home', () => items[0]?.focus()],
    ['End', () => items.at(-1)?.focus()],
    ['ArrowRight', () => (expanded === 'false' ? toggle() : expanded === 'true' ? items[at + 1]?.focus() : undefined)],
    [
      'ArrowLeft',
      () =>
        expanded === 'true'
          ? toggle()
          : items
              .slice(0, at)
              .findLast((each) => getLevel(each) < getLevel(item))
              ?.focus(),
    ],
    ['Enter', () => item.querySelector('a')?.click()],
  ]
  const step = steps.find(([key]) => key === event.key)?.[1]
  if (!step || (event.key === 'Enter' && event.target !== item)) return
  event.preventDefault()
  event.stopPropagation()
  step()
}

const getLevel = (item: HTMLElement): number => Number(item.getAttribute('aria-level'))

const TreeLevel = ({ of, depth, first }: { of?: TreeNode; depth: number; first?: boolean }) => {
  const where = of === undefined ? {} : of.kind === 'integration' ? { integration_id: of.id } : { parent_id: of.id }
  const nodes = useInfiniteQuery({
    queryKey: ['tree', where],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      api.get<ResultPage<TreeNode>>('/ui/tree', { query: { ...where, page, page_size: 200 }, signal }),
    getNextPageParam: ({ meta }) => meta.next_page,
  })
  if (nodes.isPending) return <Skeleton lines={depth === 0 ? 6 : 2} className="px-4 py-2" />
  if (nodes.error) return <ErrorView error={nodes.error} retry={() => void nodes.refetch()} />
  const list = nodes.data.pages.flatMap(({ results }) => results)
  if (list.length === 0) return first ? <EmptyTree /> : null
  return (
    <>
      {list.map((node, i) => (
        <TreeItem key={node.id} node={node} depth={depth} first={first === true && i === 0} />
      ))}
      {nodes.hasNextPage && (
        <div className="px-4 py-1" style={{ paddingInlineStart: indent(depth) }}>
          <Button small look="quiet" busy={nodes.isFetchingNextPage} onClick={() => void nodes.fetchNextPage()}>
            {t('More')}
          </Button>
        </div>
      )}
    </>
  )
}

const indent = (depth: number): string => `${0.75 + depth * 1.25}rem`

const EXPANDED_STORAGE_KEY = 'tablinum.tree'
const expandedIds = new Set<string>(JSON.parse(sessionStorage.getItem(EXPANDED_STORAGE_KEY) ?? '[]'))

/** Expanded nodes, kept in sessionStorage, so that the tree looks the same after going back to it. */
const useExpanded = (id: string): readonly [open: boolean, setOpen: (open: boolean) => void] => {
  const [open, setOpen] = useState(expandedIds.has(id))
  const setExpanded = (now: boolean) => {
    if (now) expandedIds.add(id)
    else expandedIds.delete(id)
    sessionStorage.setItem(EXPANDED_STORAGE_KEY, JSON.stringify([...expandedIds]))
    setOpen(now)
  }
  return [open, setExpanded]
}

const EmptyTree = () => {
  const manages = useCan('integrations.manage')
  return (
    <EmptyState
      title={t('Nothing here yet')}
      action={
        manages && (
          <Link to="/integrations/new" className={buttonClass('primary')}>
            {t('Add integration')}
          </Link>
        )
      }
    >
      {manages ? t('Connect a source to see its databases here.') : t('Nothing has been published yet.')}
    </EmptyState>
  )
}

const TreeItem = ({ node, depth, first }: { node: TreeNode; depth: number; first: boolean }) => {
  const { id, title, kind, entity_type, native_type, children_count, stale, deprecated, health, verified } = node
  const [open, setOpen] = useExpanded(id)
  const opens = children_count > 0
  const sourceType = useBootstrap().integrations.find((each) => each.id === id)?.type ?? ''
  return (
    <>
      <div
        role="treeitem"
        aria-level={depth + 1}
        aria-expanded={opens ? open : undefined}
        aria-selected={false}
        tabIndex={first ? 0 : -1}
        className="flex h-8 items-center gap-2 pe-3 -outline-offset-2 hover:bg-hover focus-visible:outline-2 focus-visible:outline-accent"
        style={{ paddingInlineStart: indent(depth) }}
      >
        {/* For the pointer; the arrow keys do the same. */}
        <button
          type="button"
          data-toggle
          aria-hidden
          tabIndex={-1}
          onClick={() => setOpen(!open)}
          className={cx('flex size-5 shrink-0 items-center justify-center rounded text-faint hover:text-ink', !opens && 'invisible')}
        >
          <ChevronRight size={15} className={cx('transition-transform', open && 'rotate-90')} />
        </button>
        {kind === 'integration' ? <SourceIcon type={sourceType} size={18} /> : <EntityTypeIcon type={entity_type} />}
        {kind === 'integration' ? (
          <button type="button" tabIndex={-1} onClick={() => setOpen(!open)} className="min-w-0 truncate text-start font-medium">
            {title}
          </button>
        ) : (
          <Link
            to="/r/$id"
            params={{ id }}
            tabIndex={-1}
            className={cx('min-w-0 truncate hover:text-accent hover:underline', deprecated && 'text-soft line-through')}
            dir="auto"
          >
            {title}
          </Link>
        )}
        <TrustSigns status={stale && health === 'warning' ? 'unknown' : health} deprecated={deprecated} verified={verified} />
        <span className="flex-1" />
        {stale && <Badge tone="bad">{t('No longer in source')}</Badge>}
        {entity_type === 'column' && <span className="truncate font-mono text-xs text-faint">{native_type}</span>}
        {opens && <span className="text-xs text-faint tabular-nums">{formatApprox(children_count)}</span>}
      </div>
      {open && opens && <TreeLevel of={node} depth={depth + 1} />}
    </>
  )
}
