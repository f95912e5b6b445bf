import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { t } from '../../i18n/messages.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EntityTypeIcon } from '../../ui/entity-type.tsx'
import { Section } from '../../ui/page.tsx'
import { TrustBadges } from '../../ui/trust-badges.tsx'
import { VirtualRows } from '../../ui/virtual-rows.tsx'
import type { QueryLineage } from '../graph/queries.ts'
import { TRANSFORMATION_LABELS, UNRESOLVED_REASONS } from './sql-labels.ts'

type ReferencedTable = QueryLineage['source_tables'][number]
type ReferencedColumn = QueryLineage['column_lineages'][number]['from_column']

/** Labels of why a reference is unresolved. */
const REASON_LABELS: Readonly<Record<string, string>> = {
  ...UNRESOLVED_REASONS,
  not_in_catalog: t('not in the catalog'),
  ambiguous: t('ambiguous'),
}
const TYPE_LABELS = { table: t('table'), column: t('column'), name: t('name') } as const
const INCOMPLETE_REASONS: Readonly<Record<string, string>> = {
  time: t('Parsing timed out. The result is partial.'),
  size: t('The query is too large to parse completely. The result is partial.'),
  depth: t('The query is nested too deeply to parse completely. The result is partial.'),
}

/** Parsed lineage of SQL text: tables, columns and unresolved references. */
export const SqlResult = ({ lineage, children }: { lineage: QueryLineage; children: ReactNode }) => {
  const { source_tables, target_tables, column_lineages, statements, unresolved, problems, incomplete } = lineage
  const found = (
    <strong className="font-semibold">
      {t('{tables:# source table|# source tables}, {links:# column link|# column links}', {
        tables: source_tables.length,
        links: column_lineages.length,
      })}
    </strong>
  )
  return (
    <section aria-label={t('Parsed lineage')} className="grid grid-cols-1 gap-4">
      <p role="status" className="text-sm">
        {statements.length > 1 ? <Trans message="{found}, in {n:# statement|# statements}" found={found} n={statements.length} /> : found}
        {unresolved.length > 0 && (
          <>
            {' '}
            <Badge tone="warn">{t('{count} unresolved', { count: unresolved.length })}</Badge>
          </>
        )}
      </p>
      {children}
      {incomplete && (
        <p className="rounded-md bg-warn-soft px-3 py-1.5 text-sm text-warn">
          {INCOMPLETE_REASONS[incomplete] ?? t('The result is partial.')}
        </p>
      )}
      {problems.length > 0 && (
        <Section title={t('Syntax errors')}>
          <ul className="grid gap-1 text-sm text-bad">
            {problems.map(({ line, column, message, hint }) => (
              <li key={`${line} ${column} ${message}`}>
                {t('Line {line}, column {column}: {message}', { line: String(line), column: String(column), message })} {hint}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t('Tables')}>
        <div className="flex flex-wrap items-center gap-2">
          <TableList of={source_tables} none={t('No source tables')} />
          <ArrowRight aria-label={t('flows to')} size={16} className="text-faint" />
          <TableList of={target_tables} none={t('No target table')} />
        </div>
      </Section>
      {statements.length > 1 && (
        <Section title={t('Statements')}>
          <ol className="grid gap-1.5 text-sm">
            {statements.map(({ kind, start, source_tables, target_tables }) => (
              <li key={start} className="flex flex-wrap items-center gap-1.5">
                <Badge>{kind === 'other' ? t('other') : kind.replaceAll('_', ' ')}</Badge>
                <TableList of={source_tables} none={t('none')} />
                <ArrowRight aria-label={t('flows to')} size={14} className="text-faint" />
                <TableList of={target_tables} none={t('none')} />
              </li>
            ))}
          </ol>
        </Section>
      )}
      {column_lineages.length > 0 && <ColumnLineageTable of={column_lineages} />}
      {unresolved.length > 0 && (
        <Section title={t('Unresolved references')}>
          <ul className="grid gap-1 text-sm">
            {unresolved.map(({ name, type, reason, start, candidates }) => (
              <li key={`${start} ${name}`} className="break-words">
                <code className="font-mono" dir="auto">
                  {name}
                </code>{' '}
                <span className="text-soft">
                  ({TYPE_LABELS[type]}): {REASON_LABELS[reason] ?? reason.replaceAll('_', ' ')}
                  {candidates.length > 0 && ': '}
                </span>
                {candidates.map(({ id, title_full }, i) => (
                  <span key={id}>
                    {i > 0 && ', '}
                    <Link to="/r/$id" params={{ id }} className="text-accent hover:underline" dir="auto">
                      {title_full}
                    </Link>
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </section>
  )
}

const getQualifiedName = ({ database_name, schema_name, title }: ReferencedTable): string =>
  [database_name, schema_name, title].filter(Boolean).join('.')

/** Tables that are not in the catalog have a dashed border. */
const TableList = ({ of, none }: { of: readonly ReferencedTable[]; none: string }) =>
  of.length === 0 ? (
    <span className="text-sm text-faint">{none}</span>
  ) : (
    <ul className="flex min-w-0 flex-wrap gap-1.5">
      {of.map((table) => {
        const look = 'inline-flex max-w-72 items-center gap-1.5 rounded-md border px-2 py-0.5 text-sm'
        const name = (
          <>
            <EntityTypeIcon type="table" size={14} />
            <span className="truncate" dir="auto" title={getQualifiedName(table)}>
              {table.title}
            </span>
          </>
        )
        return (
          <li key={table.id ?? getQualifiedName(table)} className="flex min-w-0 items-center gap-1">
            {table.id ? (
              <>
                <Link to="/r/$id" params={{ id: table.id }} className={`${look} border-line bg-raised hover:border-accent`}>
                  {name}
                </Link>
                <TrustBadges id={table.id} size={13} />
              </>
            ) : (
              <span className={`${look} border-dashed border-line-strong text-soft`}>
                {name} <span className="text-xs whitespace-nowrap text-faint">{t('not in the catalog')}</span>
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )

const ROW_HEIGHT = 32
const GRID = 'grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_5.5rem] items-center gap-3'

const ColumnLineageTable = ({ of }: { of: QueryLineage['column_lineages'] }) => {
  const scroller = useRef<HTMLDivElement>(null)
  return (
    <Section title={t('Columns')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <div ref={scroller} tabIndex={0} className="max-h-96 overflow-auto rounded-lg border border-line">
        <div role="table" aria-label={t('Column lineage')} aria-rowcount={of.length} className="text-sm">
          <div role="row" className={`${GRID} sticky top-0 z-10 border-b border-line bg-bg px-3 py-1.5 text-xs font-semibold text-faint`}>
            <span role="columnheader">{t('From')}</span>
            <span role="columnheader">{t('To')}</span>
            <span role="columnheader">{t('Transformation')}</span>
          </div>
          <VirtualRows
            count={of.length}
            rowHeight={ROW_HEIGHT}
            scroller={scroller}
            row={(i) => (
              <div role="row" aria-rowindex={i + 2} className={`${GRID} h-full border-b border-line px-3`}>
                <ColumnName of={of[i]!.from_column} />
                <ColumnName of={of[i]!.to_column} />
                <span role="cell" className="truncate text-xs text-faint">
                  {TRANSFORMATION_LABELS[of[i]!.kind] ?? of[i]!.kind}
                </span>
              </div>
            )}
          />
        </div>
      </div>
    </Section>
  )
}

const ColumnName = ({ of: { id, title, table_name } }: { of: ReferencedColumn }) => {
  const name = [table_name, title].filter(Boolean).join('.')
  return (
    <span role="cell" className="truncate font-mono text-xs" dir="auto" title={id ? name : t('{name}, not in the catalog', { name })}>
      {id ? (
        <Link to="/r/$id" params={{ id }} className="hover:text-accent hover:underline">
          {name}
        </Link>
      ) : (
        <span className="text-faint italic">{name}</span>
      )}
    </span>
  )
}
