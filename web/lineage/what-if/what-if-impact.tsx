import { Link } from '@tanstack/react-router'
import { ClipboardCopy, Download, ShieldCheck } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { showServerText } from '../../api/server-text.ts'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copyable-command.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { downloadBlob, toCsv } from '../graph/export.ts'
import { AffectedOwners, EdgeTable, formatTypeCounts } from '../graph/list.tsx'
import type { WhatIfResult } from '../graph/queries.ts'
import { UNRESOLVED_REASONS } from '../sql/sql-labels.ts'
import { condenseChanges } from './condense-changes.ts'

type Change = WhatIfResult['changes'][number]

const MAX_LINES = 20

/** Result of a what-if: affected resources, owners, and a Markdown comment to copy. */
export const WhatIfImpact = ({ result, scroller }: { result: WhatIfResult; scroller: RefObject<HTMLElement | null> }) => {
  const { changes, breaks, totals, owners, unresolved, warnings, notes, truncated, comment } = result
  const gone = condenseChanges(changes.filter(({ change }) => change !== 'column_rewired'))
  const rewired = changes.filter(({ change }) => change === 'column_rewired')
  const broken = { n: totals.breaks, kinds: formatTypeCounts(totals.by_entity_type) }
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
          <AffectedOwners owners={owners} unowned={totals.unowned} />
        </div>
        <Button small look="primary" icon={ClipboardCopy} onClick={() => void copyText(comment)}>
          {t('Copy as Markdown')}
        </Button>
        {breaks.length > 0 && (
          <Button
            small
            icon={Download}
            onClick={() => downloadBlob(new Blob([toImpactCsv(result)], { type: 'text/csv' }), 'what-breaks.csv')}
          >
            {t('Export CSV')}
          </Button>
        )}
      </div>
      {truncated && (
        <p className="rounded-md bg-warn-soft px-3 py-1.5 text-sm text-warn">
          {t('Showing only the nearest {count}.', { count: breaks.length })}
        </p>
      )}
      <TitledList title={t('Deprecated')} of={warnings}>
        {({ resource_id, resource, text, text_translatable }) => (
          <ChangedResource id={resource_id} name={resource} about={showServerText(text, text_translatable)} />
        )}
      </TitledList>
      <TitledList title={t('Changes')} of={gone}>
        {({ id, title_full, columns, ...change }) => <ChangedResource id={id} name={title_full} about={describeChange(change, columns)} />}
      </TitledList>
      {breaks.length > 0 ? (
        <EdgeTable
          label={t('Affected resources')}
          rows={breaks.map((each) => ({ ...each, reason: showServerText(each.reason, each.reason_translatable) }))}
          scroller={scroller}
        />
      ) : (
        changes.length > 0 && (
          <EmptyState icon={ShieldCheck} title={t('No downstream impact')}>
            {t('No known resource depends on what changes.')}
          </EmptyState>
        )
      )}
      <TitledList title={t('Columns with a different source')} of={rewired}>
        {({ id, title_full, detail, detail_translatable }) => (
          <ChangedResource id={id} name={title_full} about={showServerText(detail, detail_translatable)} />
        )}
      </TitledList>
      <TitledList title={t('Unresolved references')} of={unresolved}>
        {({ table, name, reason }) => (
          <Trans
            message="{name} in {table} ({reason})"
            name={<code className="font-mono">{name}</code>}
            table={table}
            reason={UNRESOLVED_REASONS[reason] ?? reason.replaceAll('_', ' ')}
          />
        )}
      </TitledList>
      <TitledList title={t('Skipped')} of={notes}>
        {(note) => note}
      </TitledList>
    </section>
  )
}

const toImpactCsv = ({ breaks }: WhatIfResult): string =>
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

const describeChange = ({ detail, detail_translatable }: Pick<Change, 'detail' | 'detail_translatable'>, columns: number): string => {
  const change = showServerText(detail, detail_translatable)
  return columns > 0 ? t('{change}, including {n:# column|# columns}', { change, n: columns }) : change
}

const ChangedResource = ({ id, name, about }: { id: string; name: string; about: string }) => (
  <>
    <Link to="/r/$id" params={{ id }} className="font-medium text-ink hover:text-accent hover:underline" dir="auto">
      {name}
    </Link>{' '}
    {about}
  </>
)

/** A titled list; renders nothing when empty. */
const TitledList = <T,>({ title, of, children }: { title: string; of: readonly T[]; children: (each: T) => ReactNode }) =>
  of.length > 0 && (
    <div className="text-sm">
      <h2 className="text-xs font-semibold text-faint">{title}</h2>
      <ul className="mt-0.5 grid gap-x-6 gap-y-0.5 text-soft xl:grid-cols-2">
        {of.slice(0, MAX_LINES).map((each) => (
          <li key={JSON.stringify(each)} className="min-w-0 wrap-anywhere">
            {children(each)}
          </li>
        ))}
        {of.length > MAX_LINES && <li>{t('and {n:# other|# others}', { n: of.length - MAX_LINES })}</li>}
      </ul>
    </div>
  )
