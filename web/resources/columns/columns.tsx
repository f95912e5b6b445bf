import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Columns3 } from 'lucide-react'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useNames } from '../../api/names.ts'
import type { Column } from '../../api/types.ts'
import { useCommand } from '../../commands/use-command.ts'
import { ColumnTermSuggestions } from '../../glossary/term-suggestions.tsx'
import { t } from '../../i18n/messages.ts'
import { columnTrendsQuery } from '../../profiles/queries.ts'
import { Input } from '../../ui/field.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { VirtualRows } from '../../ui/virtual-rows.tsx'
import { columnFactsQuery, columnsQuery } from '../queries.ts'
import type { TabProps } from '../tabs.ts'
import { useColumnEdit, useDescriptionHistory } from './column-edits.ts'
import { ColumnHeader } from './column-header.tsx'
import { type ColumnEdit, type ColumnFacts, ColumnRow } from './column-row.tsx'
import { sortColumns } from './column-sort.ts'
import { readPastedDescriptions } from './pasted-descriptions.ts'
import { SelectAllBox, SelectBox } from './select-box.tsx'
import { useSelection } from './use-selection.ts'

/** Loaded with the first selection. */
const BulkBar = lazy(async () => ({ default: (await import('../../search/bulk-bar.tsx')).BulkBar }))
const route = getRouteApi('/r/$id')
const ROW_HEIGHT = 36
const PHONE_ROW_HEIGHT = 84 // on a phone the description and the facts are below the name
const HEADER_HEIGHT = 28
const GRID = 'grid grid-cols-[minmax(8rem,1fr)_minmax(5rem,10rem)] items-center gap-x-2.5 sm:grid-cols-(--grid)'
const MAX_TYPE_LENGTH = 24

/** As wide as the longest type; 0.47rem per monospace character. */
const computeTypeWidth = (columns: readonly Column[]): string => {
  const longest = Math.max(...columns.map(({ type }) => type?.length ?? 0))
  return `${Math.max(5, Math.min(MAX_TYPE_LENGTH, longest) * 0.47).toFixed(2)}rem`
}

/** Which columns of the grid have something to show, with their widths. */
const findShownCells = (columns: readonly Column[], facts: Readonly<Record<string, ColumnFacts>> | undefined) => {
  const all = Object.values(facts ?? {})
  const cells = {
    key: columns.some(({ is_pk }) => is_pk) || all.some(({ references }) => references),
    tags: columns.some(({ tags, terms }) => tags.length + terms.length > 0),
    profile: all.some(({ null_percentage, distinct_values }) => null_percentage !== null || distinct_values !== null),
    lineage: all.some(({ upstream, downstream }) => upstream + downstream > 0),
  }
  const widths = [
    // The least widths together fit beside the sidebar of a page that is 1,280 pixels wide.
    'minmax(11rem, min(15rem, 24%))',
    `minmax(4.5rem, ${computeTypeWidth(columns)})`,
    ...(cells.key ? ['minmax(2.75rem, min(9rem, 13%))'] : []),
    ...(cells.tags ? ['minmax(3.5rem, 8rem)'] : []),
    ...(cells.profile ? ['3rem', '3.25rem'] : []),
    ...(cells.lineage ? ['3.5rem'] : []),
    'minmax(7.5rem, 1fr)',
  ]
  return { cells, grid: widths.join(' ') }
}

/** The columns of a table, filtered in the browser and edited inline. */
export const Columns = ({ view }: TabProps) => {
  const { id, current_user_permissions } = view.resource
  const columns = useQuery(columnsQuery(id))
  const facts = useQuery(columnFactsQuery(id)) // the columns are shown without waiting for it
  return (
    <QueryView of={columns}>
      {({ results }) => <ColumnList table={id} columns={results} facts={facts.data} writes={current_user_permissions.write} />}
    </QueryView>
  )
}

interface ColumnListProps {
  readonly table: string
  readonly columns: readonly Column[]
  readonly facts: Readonly<Record<string, ColumnFacts>> | undefined
  readonly writes: boolean
}

const ColumnList = ({ table, columns, facts, writes }: ColumnListProps) => {
  const { q = '', sort } = route.useSearch()
  const navigate = useNavigate({ from: '/r/$id' })
  const scroller = useRef<HTMLDivElement>(null)
  const [editing, setEditing] = useState<string>()
  /** The cell whose editing ended with a key: it gets the focus back. */
  const [left, setLeft] = useState<string>()
  const save = useColumnEdit(table)
  const history = useDescriptionHistory(table)
  const names = useNames(columns.flatMap(({ terms }) => terms))
  const [wide] = useState(() => matchMedia('(min-width: 40rem)').matches)
  const shown = useMemo(() => {
    const words = q.toLowerCase()
    const found = columns.filter(({ title, description, type }) =>
      `${title} ${type ?? ''} ${description ?? ''}`.toLowerCase().includes(words),
    )
    return sortColumns(found, sort, facts)
  }, [columns, q, sort, facts])
  const ids = useMemo(() => shown.map(({ id }) => id), [shown])
  const selection = useSelection(ids)
  const chosen = shown.filter(({ id }) => selection.selected.has(id))
  const kept = editing ?? left ?? (selection.focuses ? selection.current : undefined)
  const missing = columns.filter(({ stale }) => stale).length
  const { cells, grid } = useMemo(() => findShownCells(columns, facts), [columns, facts])
  const { data: trends } = useQuery({ ...columnTrendsQuery(table), enabled: wide && cells.profile })
  const edit = (id: string | undefined) => {
    setEditing(id)
    setLeft(undefined)
  }
  const leave = (index: number, by: number | undefined) => {
    const next = by ? shown[index + by] : undefined
    edit(next?.id)
    if (by !== undefined && !next) setLeft(shown[index]!.id)
  }
  const paste = (index: number, text: string): boolean => {
    const pasted = readPastedDescriptions(text, shown, index, editing !== undefined)
    if (!pasted) return false
    const edited = shown.filter(({ id, description }) => pasted.has(id) && (description ?? '') !== pasted.get(id))
    const toEdits = (toDescription: (column: Column) => string | null) =>
      edited.map((column) => ({ id: column.id, description: toDescription(column) }))
    if (edited.length === 0) return true
    history.apply({ before: toEdits(({ description }) => description), after: toEdits(({ id }) => pasted.get(id) || null) })
    return true
  }
  const saveOne = (column: Column, edit: ColumnEdit) => {
    const { id, description } = column
    if (edit.description !== undefined) history.record({ before: [{ id, description }], after: [{ id, description: edit.description }] })
    save.mutate({ column, edit })
  }
  useCommand(
    'resource.describe',
    () => {
      const from = shown.findIndex(({ id }) => id === left) + 1
      const next = [...shown.slice(from), ...shown.slice(0, from)].find(({ description }) => !description)
      if (next) edit(next.id)
    },
    writes && shown.some(({ description }) => !description),
  )
  if (columns.length === 0) return <EmptyState icon={Columns3} title={t('No columns')} />
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Input
          type="search"
          aria-label={t('Filter columns')}
          placeholder={t('Filter by name, type, or description')}
          value={q}
          onChange={({ target }) => void navigate({ search: (before) => ({ ...before, q: target.value || undefined }), replace: true })}
          className="max-w-80"
        />
        <p role="status" className="text-sm text-faint">
          {q
            ? t('{shown} of {all}', { shown: shown.length, all: columns.length })
            : missing > 0
              ? t('{n} no longer in source', { n: missing })
              : ''}
        </p>
        {writes && (
          <span className="ms-auto">
            <ColumnTermSuggestions table={table} />
          </span>
        )}
      </div>
      <div
        ref={scroller}
        role="table"
        aria-label={t('Columns')}
        aria-rowcount={shown.length + 1}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
        tabIndex={0}
        onKeyDown={(event) => {
          // Inside a field, the browser undoes typing.
          const typing = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox'
          if (!(event.ctrlKey || event.metaKey) || event.altKey || typing) return
          const key = event.key.toLowerCase()
          if (key !== 'z' && key !== 'y') return
          event.preventDefault()
          if (key === 'y' || event.shiftKey) history.redo()
          else history.undo()
        }}
        className="max-h-[68dvh] overflow-auto"
        style={{ ['--grid' as string]: grid }}
      >
        <div className="min-w-fit">
          <ColumnHeader
            sort={sort}
            onSort={(sort) => void navigate({ search: (before) => ({ ...before, sort }), replace: true, resetScroll: false })}
            cells={wide ? cells : undefined}
            className={GRID}
            select={writes && <SelectAllBox selection={selection} all={ids} />}
          />
          <VirtualRows
            count={shown.length}
            rowHeight={wide ? ROW_HEIGHT : PHONE_ROW_HEIGHT}
            scroller={scroller}
            covered={HEADER_HEIGHT}
            keepInView={kept === undefined ? undefined : ids.indexOf(kept)}
            row={(index) => (
              <ColumnRow
                column={shown[index]!}
                facts={facts?.[shown[index]!.id]}
                trend={trends?.[shown[index]!.id]}
                names={names}
                cells={wide ? cells : undefined}
                className={GRID}
                index={index}
                select={writes && <SelectBox id={shown[index]!.id} title={shown[index]!.title} selection={selection} all={ids} />}
                writes={writes}
                editing={editing === shown[index]!.id}
                focused={left === shown[index]!.id}
                onEdit={() => edit(shown[index]!.id)}
                onLeave={(by) => leave(index, by)}
                onSave={(edit) => saveOne(shown[index]!, edit)}
                onMove={(by) => shown[index + by] && setLeft(shown[index + by]!.id)}
                onPaste={(text) => paste(index, text)}
              />
            )}
          />
        </div>
      </div>
      {chosen.length > 0 && (
        <Suspense>
          <BulkBar
            rows={chosen}
            queryKey={columnsQuery(table).queryKey}
            className="sticky bottom-0 z-10 rounded-lg border"
            onAll={
              chosen.length < ids.length
                ? { label: t('Select all {n}', { n: ids.length }), perform: async () => selection.set(ids) }
                : undefined
            }
            onClear={() => selection.set([])}
          />
        </Suspense>
      )}
    </div>
  )
}
