import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellOff } from 'lucide-react'
import { useState } from 'react'
import { pluralize, t } from '../i18n/messages.ts'
import { SeverityBadge } from '../monitors/severity.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EntityTypeIcon } from '../ui/entity-type.tsx'
import { TrustBadges } from '../ui/trust-badges.tsx'
import { type IncidentFilters, type IncidentTable, incidentsQuery } from './queries.ts'
import { IncidentRows } from './rows.tsx'

/** Incidents by table: each table with its newest incidents, and the others on request. */
export const IncidentsByTable = ({ of, filters }: { of: readonly IncidentTable[]; filters: IncidentFilters }) => (
  <div className="grid grid-cols-1 gap-5">
    {of.map((table) => (
      <TableGroup key={table.id} table={table} filters={filters} />
    ))}
  </div>
)

const TableGroup = ({ table, filters }: { table: IncidentTable; filters: IncidentFilters }) => {
  const { id, count, active, acknowledged, snoozed, severity, incidents, display_metadata } = table
  const [all, setAll] = useState(false)
  const rest = useInfiniteQuery({ ...incidentsQuery({ ...filters, resource_id: id }), enabled: all })
  const shown = (all && rest.data?.pages.flatMap(({ results }) => results)) || incidents
  const heading = `incidents-of-${id}`
  return (
    <section aria-labelledby={heading} className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={heading} className="min-w-0 font-medium">
          <Link to="/r/$id" params={{ id }} search={{ tab: 'monitors' }} className="flex min-w-0 items-center gap-1.5 hover:underline">
            <EntityTypeIcon type={display_metadata.target.entity_type} size={15} />
            <span className="break-all" dir="auto">
              {display_metadata.target.label}
            </span>
          </Link>
        </h2>
        <TrustBadges id={id} />
        <span className="text-sm text-soft">{pluralize(count, 'incident')}</span>
        <span className="flex flex-wrap gap-1">
          <SeverityBadge of={severity} />
          {active > 0 && <Badge tone="bad">{t('{n} active', { n: active })}</Badge>}
          {acknowledged > 0 && <Badge tone="warn">{t('{n} acknowledged', { n: acknowledged })}</Badge>}
          {snoozed > 0 && (
            <Badge tone="accent" icon={BellOff}>
              {t('{n} snoozed', { n: snoozed })}
            </Badge>
          )}
        </span>
      </div>
      <IncidentRows of={shown} without="target" />
      {shown.length < count && (!all || rest.hasNextPage) && (
        <Button
          small
          look="quiet"
          className="justify-self-start"
          busy={rest.isFetching}
          onClick={() => (all ? void rest.fetchNextPage() : setAll(true))}
        >
          {t('Show {count} more', { count: count - shown.length })}
        </Button>
      )}
    </section>
  )
}
