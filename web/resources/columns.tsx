import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Columns3, KeyRound, ShieldAlert, Unplug } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import type { Column, ResultPage } from '../api/types.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { cx } from '../ui/cx.ts'
import { Input } from '../ui/field.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { showErrorToast } from '../ui/toast.tsx'
import { VirtualRows } from '../ui/virtual-rows.tsx'
import { columnsQuery } from './queries.ts'
import type { TabProps } from './tabs.ts'
import { saveResource } from './use-edit.ts'

const route = getRouteApi('/r/$id')
const ROW_HEIGHT = 36
const TWO_LINE_ROW_HEIGHT = 64 // on a phone the description is below the name
const GRID =
  'grid grid-cols-[minmax(8rem,1fr)_minmax(6rem,10rem)] items-center gap-4 sm:grid-cols-[minmax(9rem,15rem)_var(--type)_minmax(0,1fr)]'
const MAX_TYPE_LENGTH = 30

/** As wide as the longest type; 0.47rem per monospace character. */
const computeTypeWidth = (columns: readonly Column[]): string => {
  const longest = Math.max(...columns.map(({ type }) => type?.length ?? 0))
  return `${Math.max(6, Math.min(MAX_TYPE_LENGTH, longest) * 0.47).toFixed(2)}rem`
}

/** The columns of a table, filtered in the browser and edited inline. */
export const Columns = ({ view }: TabProps) => {
  const { id, current_user_permissions } = view.resource
  const columns = useQuery(columnsQuery(id))
  return (
    <QueryView of={columns}>
      {({ results }) => <ColumnList table={id} columns={results} writes={current_user_permissions.write} />}
    </QueryView>
  )
}

const ColumnList = ({ table, columns, writes }: { table: string; columns: readonly Column[]; writes: boolean }) => {
  const { q = '' } = route.useSearch()
  const navigate = useNavigate({ from: '/r/$id' })
  const scroller = useRef<HTMLDivElement>(null)
  const [editing, setEditing] = useState<string>()
  /** The cell whose editing ended with a key: it gets the focus back. */
  const [left, setLeft] = useState<string>()
  const save = useColumnEdit(table)
  const [wide] = useState(() => matchMedia('(min-width: 40rem)').matches)
  const shown = useMemo(() => {
    const words = q.toLowerCase()
    // Columns missing from the source are listed last.
    return columns
      .filter(({ title, description, type }) => `${title} ${type ?? ''} ${description ?? ''}`.toLowerCase().includes(words))
      .sort((a, b) => Number(a.stale) - Number(b.stale))
  }, [columns, q])
  const missing = columns.filter(({ stale }) => stale).length
  const width = useMemo(() => computeTypeWidth(columns), [columns])
  const edit = (id: string | undefined) => {
    setEditing(id)
    setLeft(undefined)
  }
  const leave = (index: number, by: number | undefined) => {
    const next = by ? shown[index + by] : undefined
    edit(next?.id)
    if (by !== undefined && !next) setLeft(shown[index]!.id)
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
      <div className="flex items-center gap-3">
        <Input
          type="search"
          aria-label={t('Filter columns')}
          placeholder={t('Filter by name, type, or description')}
          value={q}
          onChange={({ target }) => void navigate({ search: (before) => ({ ...before, q: target.value || undefined }), replace: true })}
          className="max-w-72"
        />
        <p role="status" className="text-sm text-faint">
          {q
            ? t('{shown} of {all}', { shown: shown.length, all: columns.length })
            : missing > 0
              ? t('{n} no longer in source', { n: missing })
              : ''}
        </p>
      </div>
      <div role="table" aria-label={t('Columns')} aria-rowcount={shown.length + 1} style={{ ['--type' as string]: width }}>
        <div role="row" aria-rowindex={1} className={`${GRID} border-b border-line pb-1.5 text-xs font-medium text-faint`}>
          <span role="columnheader">{t('Name')}</span>
          <span role="columnheader">{t('Type')}</span>
          <span role="columnheader" className="max-sm:hidden">
            {t('Description')}
          </span>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable */}
        <div ref={scroller} role="rowgroup" tabIndex={0} className="max-h-[68dvh] overflow-auto">
          <VirtualRows
            count={shown.length}
            rowHeight={wide ? ROW_HEIGHT : TWO_LINE_ROW_HEIGHT}
            scroller={scroller}
            keepInView={editing === undefined ? undefined : shown.findIndex(({ id }) => id === editing)}
            row={(index) => (
              <ColumnRow
                column={shown[index]!}
                index={index}
                writes={writes}
                editing={editing === shown[index]!.id}
                focused={left === shown[index]!.id}
                onEdit={() => edit(shown[index]!.id)}
                onLeave={(by) => leave(index, by)}
                onSave={(edit) => save.mutate({ column: shown[index]!, edit })}
              />
            )}
          />
        </div>
      </div>
    </div>
  )
}

/** Optimistic edit, rolled back with a message on an error. */
const useColumnEdit = (table: string) => {
  const { queryKey } = columnsQuery(table)
  const put = (id: string, change: Partial<Column>) =>
    queryClient.setQueryData(
      queryKey,
      (page: ResultPage<Column> | undefined) =>
        page && { ...page, results: page.results.map((each) => (each.id === id ? { ...each, ...change } : each)) },
    )
  return useMutation({
    mutationFn: ({ column, edit }: { column: Column; edit: ColumnEdit }) => saveResource(column, edit),
    onMutate: ({ column, edit }) => void put(column.id, edit),
    onSuccess: ({ id, version, description, pii }) => void put(id, { version, description, pii }),
    onError: (error, { column }) => {
      put(column.id, { description: column.description, pii: column.pii })
      showErrorToast(t('Couldn’t save changes to {title}.', { title: column.title }), error)
      void queryClient.invalidateQueries({ queryKey })
    },
  })
}

type ColumnEdit = Partial<Pick<Column, 'description' | 'pii'>>

interface ColumnRowProps {
  readonly column: Column
  readonly index: number
  readonly writes: boolean
  readonly editing: boolean
  readonly focused: boolean
  readonly onEdit: () => void
  /** Rows to move by; `undefined` if the focus has already moved elsewhere. */
  readonly onLeave: (by: number | undefined) => void
  readonly onSave: (edit: ColumnEdit) => void
}

const ColumnRow = ({ column, index, writes, editing, focused, onEdit, onLeave, onSave }: ColumnRowProps) => (
  <div
    role="row"
    aria-rowindex={index + 2}
    className={`${GRID} h-full content-center border-b border-line hover:bg-hover max-sm:gap-y-0 sm:content-normal`}
  >
    <span role="cell" className="group/name min-w-0">
      <span className="flex min-w-0 items-center gap-1.5">
        <Link
          to="/r/$id"
          params={{ id: column.id }}
          className={cx('truncate font-medium hover:text-accent hover:underline', column.stale && 'text-faint line-through')}
          title={column.title}
          dir="auto"
        >
          {column.title}
        </Link>
        {column.stale && (
          <Unplug role="img" aria-label={t('No longer in source')} size={13} className="shrink-0 text-bad">
            <title>{t('No longer in source')}</title>
          </Unplug>
        )}
        {column.is_pk && <KeyRound role="img" aria-label={t('Primary key')} size={13} className="shrink-0 text-warn" />}
        <PiiToggle column={column} writes={writes} onSave={onSave} />
      </span>
    </span>
    <span role="cell" className="truncate font-mono text-xs text-soft" title={column.type ?? undefined}>
      {column.type}
    </span>
    <span role="cell" className="min-w-0 max-sm:col-span-2">
      {editing ? (
        <DescriptionInput
          value={column.description ?? ''}
          onSave={(description) => onSave({ description: description || null })}
          onLeave={onLeave}
          label={column.title}
        />
      ) : writes ? (
        <DescriptionButton column={column} focused={focused} onEdit={onEdit} onLeave={onLeave} />
      ) : (
        <span className="block truncate px-1.5 text-sm text-soft" title={column.description ?? undefined} dir="auto">
          {column.description}
        </span>
      )}
    </span>
  </div>
)

const DescriptionButton = ({ column, focused, onEdit, onLeave }: Pick<ColumnRowProps, 'column' | 'focused' | 'onEdit' | 'onLeave'>) => {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focused) button.current?.focus({ preventScroll: true })
  }, [focused])
  return (
    <button
      ref={button}
      type="button"
      data-field
      onClick={onEdit}
      onBlur={() => focused && onLeave(undefined)}
      title={column.description ?? undefined}
      className="block h-7 w-full truncate rounded-md px-1.5 text-start text-sm -outline-offset-2 hover:bg-bg"
      dir="auto"
    >
      <span className="sr-only">{t('Edit description of {title}:', { title: column.title })} </span>
      {column.description || <span className="text-faint">{t('Add a description')}</span>}
    </button>
  )
}

/** PII flag of a column, editable inline. */
const PiiToggle = ({ column: { title, pii }, writes, onSave }: Pick<ColumnRowProps, 'column' | 'writes' | 'onSave'>) => {
  if (!writes) return pii && <ShieldAlert role="img" aria-label={t('PII')} size={13} className="shrink-0 text-warn" />
  const words = pii ? t('PII. Click to remove the flag.') : t('Mark as PII')
  return (
    <button
      type="button"
      aria-label={t('{title} contains PII', { title })}
      aria-pressed={pii}
      title={words}
      onClick={() => onSave({ pii: !pii })}
      className={cx(
        'flex size-6 shrink-0 items-center justify-center rounded-md hover:bg-bg',
        pii ? 'text-warn' : 'text-faint opacity-0 group-hover/name:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      <ShieldAlert aria-hidden size={13} />
    </button>
  )
}

/** Enter and ↓ save and move to the next row, ↑ to the previous one, as in a spreadsheet. Escape discards. */
const DescriptionInput = ({
  value,
  label,
  onSave,
  onLeave,
}: {
  value: string
  label: string
  onSave: (value: string) => void
  onLeave: (by: number | undefined) => void
}) => {
  const [draft, setDraft] = useState(value)
  const left = useRef(false)
  const leave = (save: boolean, by: number | undefined) => {
    if (left.current) return
    left.current = true
    if (save && draft.trim() !== value) onSave(draft.trim())
    onLeave(by)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { Enter: [true, 1], Escape: [false, 0], ArrowDown: [true, 1], ArrowUp: [true, -1] }[event.key] as
      | [boolean, number]
      | undefined
    if (!move || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    leave(...move)
  }
  return (
    <Input
      ref={(box) => box?.focus({ preventScroll: true })}
      aria-label={t('Description of {title}', { title: label })}
      value={draft}
      onChange={({ target }) => setDraft(target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => leave(true, undefined)}
      small
      dir="auto"
      spellCheck
    />
  )
}
