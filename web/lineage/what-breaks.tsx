import { Link } from '@tanstack/react-router'
import { ClipboardCopy, Download, ShieldCheck } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { copyText } from '../monitors/copy-line.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/states.tsx'
import { Say } from '../words/say.tsx'
import { t } from '../words/words.ts'
import { listedChanges } from './dropped.ts'
import { save, toCsv } from './export.ts'
import { kindsIn, Lines, WhomToTell } from './list.tsx'
import type { WhatIfAnswer } from './queries.ts'
import { REASONS } from './sql-words.ts'

const MOST_LINES = 20

/** Result of a what-if: affected resources, owners, and a Markdown comment to copy. */
export const WhatBreaks = ({ answer, scroller }: { answer: WhatIfAnswer; scroller: RefObject<HTMLElement | null> }) => {
  const { changes, breaks, totals, owners, unresolved, notes, truncated, comment } = answer
  const gone = listedChanges(changes.filter(({ change }) => change !== 'column_rewired'))
  const rewired = changes.filter(({ change }) => change === 'column_rewired')
  const broken = { n: totals.breaks, kinds: kindsIn(totals.by_entity_type) }
  return (
    <section aria-label={t('Impact')} className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p role="status" className="text-sm">
            <strong className="font-semibold">
              {totals.breaks === 0
                ? changes.length === 0
                  ? t('No known changes.')
                  : t('No downstream resources would break.')
                : truncated
                  ? t('At least {n:# downstream resource|# downstream resources} would break: {kinds}.', broken)
                  : t('{n:# downstream resource|# downstream resources} would break: {kinds}.', broken)}
            </strong>{' '}
            {breaks.length > totals.certain && (
              <Badge tone="warn" title={t('Only table-level lineage is known for part of the path')}>
                {t('{count} possible', { count: breaks.length - totals.certain })}
              </Badge>
            )}
          </p>
          <WhomToTell owners={owners} unowned={totals.unowned} />
        </div>
        <Button small look="primary" icon={ClipboardCopy} onClick={() => void copyText(comment)}>
          {t('Copy as Markdown')}
        </Button>
        {breaks.length > 0 && (
          <Button small icon={Download} onClick={() => save(new Blob([toFile(answer)], { type: 'text/csv' }), 'what-breaks.csv')}>
            {t('CSV')}
          </Button>
        )}
      </div>
      {truncated && (
        <p className="rounded-md bg-warn-soft px-3 py-1.5 text-sm text-warn">
          {t('Showing only the nearest {count}.', { count: breaks.length })}
        </p>
      )}
      <Said title={t('Changes')} of={gone}>
        {({ id, title_full, detail, columns }) => (
          <Name
            id={id}
            name={title_full}
            about={columns > 0 ? t('{change}, including {n:# column|# columns}', { change: detail, n: columns }) : detail}
          />
        )}
      </Said>
      {breaks.length > 0 ? (
        <Lines label={t('Affected resources')} rows={breaks} scroller={scroller} />
      ) : (
        changes.length > 0 && (
          <Empty icon={ShieldCheck} title={t('No downstream impact')}>
            {t('No known resource depends on what changes.')}
          </Empty>
        )
      )}
      <Said title={t('Columns with a different source')} of={rewired}>
        {({ id, title_full, detail }) => <Name id={id} name={title_full} about={detail} />}
      </Said>
      <Said title={t('Unresolved references')} of={unresolved}>
        {({ table, name, reason }) => (
          <Say
            words="{name} in {table} ({reason})"
            name={<code className="font-mono">{name}</code>}
            table={table}
            reason={REASONS[reason] ?? reason.replaceAll('_', ' ')}
          />
        )}
      </Said>
      <Said title={t('Skipped')} of={notes}>
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

/** A titled list; renders nothing when empty. */
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
        {of.length > MOST_LINES && <li>{t('and {n:# other|# others}', { n: of.length - MOST_LINES })}</li>}
      </ul>
    </div>
  )
