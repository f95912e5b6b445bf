import { BadgeCheck, ChevronDown, ChevronRight, EyeOff, Minus, Plus, ShieldAlert } from 'lucide-react'
import { memo } from 'react'
import { cx } from '../ui/cx.ts'
import { KindIcon, kindName } from '../ui/kind.tsx'
import { about, several } from '../ui/number.ts'
import type { Step } from './address.ts'
import type { Box, Row } from './scene.ts'
import { BOX_WIDTH, HEAD, ROW } from './shape.ts'

/** What can be done with what is drawn. */
export interface Acts {
  readonly choose: (id: string | undefined) => void
  readonly step: (id: string, step: Step, on: boolean) => void
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
  /** The one that the keys act on: its buttons can be reached with Tab. */
  readonly active: boolean
  /** Which steps were taken from here, as one text so that it compares: `uc`. */
  readonly opened: string
  readonly busy: string
  /** The columns of the traced way in it, when its columns are not drawn. */
  readonly through?: string
  readonly column?: string
  readonly lit_rows?: ReadonlySet<string>
  readonly editable: boolean
  readonly acts: Acts
}

/** What the eye sees in other ways: the picture, the colour, the numbers at the sides. */
const wordsFor = ({ kind, members, more_upstream, more_downstream, start }: Box): string =>
  [
    kind && members === 0 ? kindName(kind) : '',
    start ? 'where this drawing begins' : '',
    more_upstream > 0 ? `${about(more_upstream)} more upstream` : '',
    more_downstream > 0 ? `${about(more_downstream)} more downstream` : '',
  ]
    .filter(Boolean)
    .join(', ')

/** A resource of the graph. */
export const BoxView = memo(function BoxView(props: BoxProps) {
  const { box, x, y, tone, chosen, found, active, acts, through } = props
  const { id, title, path, kind, members, start } = box
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
        aria-pressed={chosen}
        disabled={hidden}
        onClick={() => (members > 0 ? acts.unfold(title) : acts.choose(chosen ? undefined : id))}
        style={{ height: HEAD - 2 }}
        className={cx('flex w-full items-center gap-2.5 rounded-lg px-2.5 text-start', box.openable ? 'pe-9' : 'pe-3')}
      >
        <span
          aria-hidden
          className={cx(
            'flex size-7 shrink-0 items-center justify-center rounded-md',
            start ? 'bg-accent-fill' : tone === 'lit' ? 'bg-accent-soft' : 'bg-hover',
          )}
        >
          {hidden ? (
            <EyeOff size={15} className="text-faint" />
          ) : (
            <KindIcon type={kind} size={15} className={start ? 'text-on-accent' : tone === 'lit' ? 'text-accent' : ''} />
          )}
        </span>
        <span className="min-w-0 flex-1 leading-tight">
          <span className={cx('flex items-center gap-1 text-sm font-medium', tone === 'dim' && !found ? 'text-faint' : 'text-ink')}>
            <span className="truncate" dir="auto">
              {title}
            </span>
            {box.verified && <BadgeCheck aria-hidden size={13} className="shrink-0 text-good" />}
            {box.pii && <ShieldAlert aria-hidden size={13} className="shrink-0 text-warn" />}
          </span>
          {through ? (
            <span className="block truncate font-mono text-[0.6875rem] text-accent">{through}</span>
          ) : (
            <span className={cx('block truncate text-[0.6875rem] text-faint', (box.stale || box.archived) && 'text-warn')} dir="auto">
              {members > 0
                ? several(members, 'resource')
                : [box.archived ? 'Archived' : box.stale ? 'Stale' : '', path || (kind ? kindName(kind) : '')].filter(Boolean).join(' · ')}
            </span>
          )}
          <span className="sr-only">{wordsFor(box)}</span>
        </span>
      </button>
      <ColumnsButton {...props} tab={tab} />
      {box.rows.length > 0 && <Rows {...props} tab={tab} />}
      {!hidden && members === 0 && (
        <>
          <More {...props} tab={tab} side="upstream" count={box.more_upstream} />
          <More {...props} tab={tab} side="downstream" count={box.more_downstream} />
        </>
      )}
      {props.editable && !hidden && members === 0 && (
        <span
          data-port={id}
          aria-hidden
          title="Draw a link from here"
          className={cx(
            '-end-1.5 absolute top-9 size-3 cursor-crosshair rounded-full border-2 border-raised bg-accent-fill group-hover:block',
            chosen ? 'block' : 'hidden',
          )}
        />
      )}
    </div>
  )
})

const ColumnsButton = ({ box: { id, title, openable, rows }, opened, acts, tab }: BoxProps & { tab: number }) => {
  if (!openable) return null
  const open = opened.includes('c') || opened.includes('a')
  const Icon = open || rows.length > 0 ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      tabIndex={tab}
      aria-expanded={open}
      aria-label={`Columns of ${title}`}
      title={open ? 'Hide the columns' : 'Show the columns'}
      onClick={() => {
        acts.step(id, 'c', !open)
      }}
      className="absolute end-1.5 top-2 flex size-7 items-center justify-center rounded-md text-faint hover:bg-hover hover:text-ink"
    >
      <Icon aria-hidden size={14} />
    </button>
  )
}

const Rows = ({ box: { id, title, rows, more_rows }, column, lit_rows, tone, acts, tab }: BoxProps & { tab: number }) => (
  <ul aria-label={`Columns of ${title}`} className="border-t border-line">
    {rows.map((row: Row) => (
      <li key={row.id} style={{ height: ROW }}>
        <button
          type="button"
          tabIndex={tab}
          data-row={row.id}
          aria-pressed={column === row.id}
          onClick={() => acts.column(row.id)}
          className={cx(
            'flex h-full w-full items-center gap-2 px-3 text-start font-mono text-xs hover:bg-hover',
            column === row.id || lit_rows?.has(row.id)
              ? 'bg-accent-soft font-medium text-accent'
              : tone === 'dim'
                ? 'text-faint'
                : 'text-soft',
          )}
        >
          <span className="sr-only">Trace </span>
          <span className="min-w-0 flex-1 truncate" dir="auto">
            {row.title}
          </span>
          {row.type && <span className="max-w-20 truncate text-[0.6875rem] font-normal text-faint">{row.type}</span>}
        </button>
      </li>
    ))}
    {more_rows > 0 && (
      <li style={{ height: ROW }}>
        <button
          type="button"
          tabIndex={tab}
          onClick={() => acts.step(id, 'a', true)}
          className="h-full w-full px-3 text-start text-xs text-accent hover:underline"
        >
          Show {several(more_rows, 'more column')}
        </button>
      </li>
    )}
  </ul>
)

/** Neighbours that are not drawn: how many, and one press to see them. */
const More = ({
  box: { id, title },
  opened,
  busy,
  acts,
  side,
  count,
  tab,
}: BoxProps & { tab: number; side: 'upstream' | 'downstream'; count: number }) => {
  const step = side === 'upstream' ? 'u' : 'd'
  const open = opened.includes(step)
  if (count === 0 && !open) return null
  const Icon = count > 0 ? Plus : Minus
  return (
    <button
      type="button"
      tabIndex={tab}
      aria-label={count > 0 ? `Show ${about(count)} more ${side} of ${title}` : `Hide what was opened ${side} of ${title}`}
      aria-busy={busy.includes(step)}
      disabled={busy.includes(step)}
      onClick={() => acts.step(id, step, count > 0)}
      className={cx(
        'absolute top-[8px] flex h-7 min-w-7 items-center justify-center gap-px rounded-full border bg-raised px-1 text-[0.6875rem] font-medium tabular-nums',
        side === 'upstream' ? 'right-[calc(100%-8px)]' : 'left-[calc(100%-8px)]',
        count > 0 ? 'border-line-strong/60 text-soft hover:border-accent hover:text-accent' : 'border-line text-faint hover:text-ink',
        busy.includes(step) && 'animate-pulse',
      )}
    >
      <Icon aria-hidden size={11} />
      {count > 0 && about(count)}
    </button>
  )
}
