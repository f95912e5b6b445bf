import { Link } from '@tanstack/react-router'
import { ClipboardCopy, Download, ShieldCheck } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { copyText } from '../monitors/copy-line.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { count, several } from '../ui/number.ts'
import { Empty } from '../ui/states.tsx'
import { save, toCsv } from './export.ts'
import { kindsIn, Lines, WhomToTell } from './list.tsx'
import type { WhatIfAnswer } from './queries.ts'

const MOST_LINES = 20

/** What a change would break, whose it is, and all of it as a comment to take along. */
export const WhatBreaks = ({ answer, scroller }: { answer: WhatIfAnswer; scroller: RefObject<HTMLElement | null> }) => {
  const { changes, breaks, totals, owners, unresolved, notes, truncated, comment } = answer
  const gone = changes.filter(({ change }) => change !== 'column_rewired')
  const rewired = changes.filter(({ change }) => change === 'column_rewired')
  return (
    <section aria-label="What breaks" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p role="status" className="text-sm">
            <strong className="font-semibold">
              {totals.breaks === 0
                ? changes.length === 0
                  ? 'Nothing changes that the catalog knows of.'
                  : 'Nothing downstream is known to break.'
                : `${truncated ? 'At least ' : ''}${several(totals.breaks, 'thing')} downstream would break: ${kindsIn(totals.by_entity_type)}.`}
            </strong>{' '}
            {breaks.length > totals.certain && (
              <Badge tone="warn" title="Somewhere on the way only whole tables are known to depend on each other">
                {count(breaks.length - totals.certain)} perhaps
              </Badge>
            )}
          </p>
          <WhomToTell owners={owners} unowned={totals.unowned} />
        </div>
        <Button small look="primary" icon={ClipboardCopy} onClick={() => void copyText(comment)}>
          Copy as Markdown
        </Button>
        {breaks.length > 0 && (
          <Button small icon={Download} onClick={() => save(new Blob([toFile(answer)], { type: 'text/csv' }), 'what-breaks.csv')}>
            CSV
          </Button>
        )}
      </div>
      {truncated && (
        <p className="rounded-md bg-warn-soft px-3 py-1.5 text-sm text-warn">
          There is more than is listed here: the first {count(breaks.length)}, the nearest.
        </p>
      )}
      <Said title="What changes" of={gone}>
        {({ id, title_full, detail }) => <Name id={id} name={title_full} about={detail} />}
      </Said>
      {breaks.length > 0 ? (
        <Lines label="What would break" rows={breaks} scroller={scroller} />
      ) : (
        changes.length > 0 && (
          <Empty icon={ShieldCheck} title="Nothing breaks">
            Nothing that is known takes its data from what changes.
          </Empty>
        )
      )}
      <Said title="Columns that take their values from elsewhere" of={rewired}>
        {({ id, title_full, detail }) => <Name id={id} name={title_full} about={detail} />}
      </Said>
      <Said title="Names that the catalog does not know" of={unresolved}>
        {({ table, name, reason }) => (
          <>
            <code className="font-mono">{name}</code> in {table} ({reason.replaceAll('_', ' ')})
          </>
        )}
      </Said>
      <Said title="Not compared" of={notes}>
        {(note) => note}
      </Said>
    </section>
  )
}

const toFile = ({ breaks }: WhatIfAnswer): string =>
  toCsv([
    ['id', 'title', 'title_full', 'entity_type', 'distance', 'certain', 'owners', 'reason', 'path'],
    ...breaks.map(({ id, title, title_full, entity_type, distance, certain, owners, reason, path }) => [
      id,
      title ?? '',
      title_full ?? '',
      entity_type ?? '',
      distance,
      certain,
      owners.map(({ name, email, id }) => name ?? email ?? id).join('; '),
      reason,
      path.map((each) => (each.hidden ? '…' : (each.title_full ?? ''))).join(' > '),
    ]),
  ])

const Name = ({ id, name, about }: { id: string; name: string; about: string }) => (
  <>
    <Link to="/r/$id" params={{ id }} className="font-medium text-ink hover:text-accent hover:underline" dir="auto">
      {name}
    </Link>{' '}
    {about}
  </>
)

/** A few lines under a name; nothing at all when there are none. */
const Said = <T,>({ title, of, children }: { title: string; of: readonly T[]; children: (each: T) => ReactNode }) =>
  of.length > 0 && (
    <div className="text-sm">
      <h2 className="text-xs font-semibold text-faint">{title}</h2>
      <ul className="mt-0.5 grid gap-x-6 gap-y-0.5 text-soft xl:grid-cols-2">
        {of.slice(0, MOST_LINES).map((each) => (
          <li key={JSON.stringify(each)} className="min-w-0 wrap-anywhere">
            {children(each)}
          </li>
        ))}
        {of.length > MOST_LINES && <li>and {several(of.length - MOST_LINES, 'other')}</li>}
      </ul>
    </div>
  )
