import { ShieldAlert } from 'lucide-react'
import { memo } from 'react'
import { pluralize, t } from '../../i18n/messages.ts'
import { cx } from '../../ui/cx.ts'
import { entityTypeLabel } from '../../ui/entity-type.tsx'
import { formatApprox } from '../../ui/number.ts'
import { PathText } from '../../ui/path-text.tsx'
import { TrustBadges } from '../../ui/trust-badges.tsx'
import { iconStyle } from './icon-styles.tsx'
import type { Box, ColumnRow } from './scene.ts'
import type { Expansion } from './search-params.ts'
import { BOX_WIDTH, HEADER_HEIGHT, ROW_HEIGHT } from './shape.ts'

/** Actions on boxes and columns. */
export interface BoxActions {
  readonly choose: (id: string | undefined) => void
  readonly step: (id: string, step: Expansion, on: boolean) => void
  readonly column: (id: string) => void
  readonly unfold: (path: string) => void
  readonly join: (from: string, to: string) => void
}

export type Tone = 'plain' | 'lit' | 'dim'

interface BoxProps {
  readonly box: Box
  readonly x: number
  readonly y: number
  readonly tone: Tone
  readonly chosen: boolean
  readonly found: boolean
  /** The box with keyboard focus: only its buttons are in the tab order. */
  readonly active: boolean
  /** Expansions of this box as one string, so that memo can compare it: `uc`. */
  readonly opened: string
  readonly busy: string
  /** Traced columns of this box, when its columns are collapsed. */
  readonly through?: string
  readonly column?: string
  readonly lit_rows?: ReadonlySet<string>
  readonly editable: boolean
  /** The accessible name of a row: what a click on it does. */
  readonly labelRow: (column: string) => string
  readonly actions: BoxActions
}

/** Second line of the box. */
const getSubtitle = ({ members, archived, stale, path, kind }: Box): string =>
  members > 0
    ? pluralize(members, 'resource')
    : [archived ? t('Archived') : stale ? t('Stale') : '', path || (kind ? entityTypeLabel(kind) : '')].filter(Boolean).join(' · ')

/** Accessible description of what icons, colors and counts show. */
const describeBox = ({ kind, members, start, more_upstream, more_downstream }: Box): string =>
  [
    kind && members === 0 ? entityTypeLabel(kind) : '',
    start ? t('starting point of the graph') : '',
    more_upstream > 0 ? t('{count} more upstream', { count: formatApprox(more_upstream) }) : '',
    more_downstream > 0 ? t('{count} more downstream', { count: formatApprox(more_downstream) }) : '',
  ]
    .filter(Boolean)
    .join(', ')

/** A box of the graph, with few elements: many are rendered in one frame. */
export const BoxView = memo(function BoxView(props: BoxProps) {
  const { box, x, y, tone, chosen, found, active, actions, through } = props
  const { id, title, kind, members, start } = box
  const tab = active ? 0 : -1
  const hidden = kind === null
  return (
    <div
      data-box={id}
      role="group"
      aria-label={title}
      style={{ left: x, top: y, width: BOX_WIDTH, height: box.height }}
      className={cx(
        'group absolute rounded-lg border select-none',
        hidden ? 'border-dashed border-line-strong bg-sunken' : tone === 'dim' && !found ? 'border-line bg-sunken' : 'bg-raised',
        members > 0 && 'shadow-[3px_3px_0_-1px_var(--color-raised),3px_3px_0_0_var(--color-line-strong)]',
        chosen || found
          ? 'border-accent ring-2 ring-accent'
          : tone === 'lit' || start
            ? 'border-accent'
            : !hidden && tone !== 'dim' && 'border-line-strong/50',
      )}
    >
      <button
        type="button"
        data-pick={id}
        tabIndex={tab}
        aria-description={describeBox(box)}
        aria-pressed={chosen}
        disabled={hidden}
        onClick={() => (members > 0 ? actions.unfold(title) : actions.choose(chosen ? undefined : id))}
        style={{ height: HEADER_HEIGHT - 2 }}
        className={cx('flex w-full items-center gap-2.5 rounded-lg px-2.5 text-start', box.openable ? 'pe-9' : 'pe-3')}
      >
        <span
          style={iconStyle(kind ?? 'hidden', start ? 'start' : tone === 'lit' ? 'tracedPath' : 'plain')}
          className={cx(
            'size-7 shrink-0 rounded-md bg-center bg-no-repeat',
            start ? 'bg-accent-fill' : tone === 'lit' ? 'bg-accent-soft' : 'bg-hover',
          )}
        />
        <span className="min-w-0 flex-1 leading-tight">
          <Title box={box} dim={tone === 'dim' && !found} />
          <PathText
            text={through ?? getSubtitle(box)}
            className={cx('text-[0.6875rem]', through ? 'font-mono text-accent' : box.stale || box.archived ? 'text-warn' : 'text-faint')}
          />
        </span>
      </button>
      <ColumnsButton {...props} tab={tab} />
      {box.rows.length > 0 && <ColumnRows {...props} tab={tab} />}
      {!hidden && members === 0 && (
        <>
          <ExpandButton {...props} tab={tab} side="upstream" count={box.more_upstream} />
          <ExpandButton {...props} tab={tab} side="downstream" count={box.more_downstream} />
        </>
      )}
      {props.editable && !hidden && members === 0 && (
        <span
          data-port={id}
          aria-hidden
          title={t('Drag to add a link')}
          className={cx(
            '-end-1.5 absolute top-9 size-3 cursor-crosshair rounded-full border-2 border-raised bg-accent-fill group-hover:block',
            chosen ? 'block' : 'hidden',
          )}
        />
      )}
    </div>
  )
})

const Title = ({ box: { id, title, verified, pii, deprecated, members }, dim }: { box: Box; dim: boolean }) => {
  const look = cx('text-sm font-medium', dim ? 'text-faint' : deprecated ? 'text-soft' : 'text-ink', deprecated && 'line-through')
  const name =
    members > 0 ? ( // the path of a schema
      <PathText text={title} className={look} />
    ) : (
      <span className={cx('block truncate', look)} dir="auto">
        {title}
      </span>
    )
  return (
    <span className="flex items-center gap-1">
      {name}
      <TrustBadges id={members > 0 || !RESOURCE_ID.test(id) ? undefined : id} verified={verified} size={13} />
      {pii && <ShieldAlert aria-hidden size={13} className="shrink-0 text-warn" />}
    </span>
  )
}

/** Hidden nodes have no real ID. */
const RESOURCE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-/

const ColumnsButton = ({ box: { id, title, openable, rows }, opened, actions, tab }: BoxProps & { tab: number }) => {
  if (!openable) return null
  const open = opened.includes('c') || opened.includes('a')
  return (
    <button
      type="button"
      tabIndex={tab}
      aria-expanded={open}
      aria-label={t('Columns of {title}', { title })}
      title={open ? t('Hide columns') : t('Show columns')}
      onClick={() => {
        actions.step(id, 'c', !open)
      }}
      style={iconStyle(open || rows.length > 0 ? 'opened' : 'closed')}
      className="absolute end-1.5 top-2 size-7 rounded-md bg-center bg-no-repeat hover:bg-hover"
    />
  )
}

const ColumnRows = ({
  box: { id, title, rows, more_rows },
  column,
  lit_rows,
  tone,
  labelRow,
  actions,
  tab,
}: BoxProps & { tab: number }) => (
  <ul aria-label={t('Columns of {title}', { title })} className="border-t border-line">
    {rows.map((row: ColumnRow) => (
      <li key={row.id} style={{ height: ROW_HEIGHT }}>
        <button
          type="button"
          tabIndex={tab}
          data-row={row.id}
          aria-pressed={column === row.id}
          onClick={() => actions.column(row.id)}
          className={cx(
            'flex h-full w-full items-center gap-2 px-3 text-start font-mono text-xs hover:bg-hover',
            column === row.id || lit_rows?.has(row.id)
              ? 'bg-accent-soft font-medium text-accent'
              : tone === 'dim'
                ? 'text-faint'
                : 'text-soft',
          )}
        >
          <span className="sr-only">{labelRow(row.title)}</span>
          <span aria-hidden className="min-w-0 flex-1 truncate" dir="auto">
            {row.title}
          </span>
          {row.type && <span className="max-w-20 truncate text-[0.6875rem] font-normal text-faint">{row.type}</span>}
        </button>
      </li>
    ))}
    {more_rows > 0 && (
      <li style={{ height: ROW_HEIGHT }}>
        <button
          type="button"
          tabIndex={tab}
          onClick={() => actions.step(id, 'a', true)}
          className="h-full w-full px-3 text-start text-xs text-accent hover:underline"
        >
          {t('Show {n:# more column|# more columns}', { n: more_rows })}
        </button>
      </li>
    )}
  </ul>
)

/** Button with the number of hidden neighbors, which expands them. */
const ExpandButton = ({
  box: { id, title },
  opened,
  busy,
  actions,
  side,
  count,
  tab,
}: BoxProps & { tab: number; side: 'upstream' | 'downstream'; count: number }) => {
  const step = side === 'upstream' ? 'u' : 'd'
  const open = opened.includes(step)
  if (count === 0 && !open) return null
  const shown = { count: formatApprox(count), title }
  return (
    <button
      type="button"
      tabIndex={tab}
      aria-label={
        side === 'upstream'
          ? count > 0
            ? t('Show {count} more upstream of {title}', shown)
            : t('Collapse upstream of {title}', { title })
          : count > 0
            ? t('Show {count} more downstream of {title}', shown)
            : t('Collapse downstream of {title}', { title })
      }
      aria-busy={busy.includes(step)}
      disabled={busy.includes(step)}
      onClick={() => actions.step(id, step, count > 0)}
      style={iconStyle(count > 0 ? 'more' : 'less')}
      className={cx(
        'absolute top-[8px] h-7 min-w-7 rounded-full border bg-raised bg-size-[11px] bg-no-repeat text-[0.6875rem] font-medium tabular-nums',
        count > 0 ? 'bg-[position:0.25rem_center] ps-4 pe-1' : 'bg-center',
        side === 'upstream' ? 'right-[calc(100%-8px)]' : 'left-[calc(100%-8px)]',
        count > 0 ? 'border-line-strong/60 text-soft hover:border-accent hover:text-accent' : 'border-line text-faint hover:text-ink',
        busy.includes(step) && 'animate-pulse',
      )}
    >
      {count > 0 && formatApprox(count)}
    </button>
  )
}
