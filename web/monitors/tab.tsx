import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Activity, Plus } from 'lucide-react'
import { useCan } from '../api/session.ts'
import { t } from '../i18n/messages.ts'
import type { TabProps } from '../resources/tabs.ts'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState, QueryView } from '../ui/states.tsx'
import { PipelineGate } from './gate.tsx'
import { resourceMonitorsQuery } from './queries.ts'
import { MonitorRows } from './rows.tsx'
import { Suggestions } from './suggestions.tsx'

/** Monitors of a resource and its columns, suggested monitors and the pipeline gate. */
export const MonitorsTab = ({ view: { resource } }: TabProps) => {
  const writes = useCan('monitors.write')
  const monitors = useQuery(resourceMonitorsQuery(resource.id))
  const isColumn = resource.entity_type === 'column' && resource.parent_id !== null
  const create = writes && (
    <Link
      to="/monitors/new"
      search={isColumn ? { table: resource.parent_id ?? undefined, column: resource.id } : { table: resource.id }}
      className={buttonClass('primary', false, 'justify-self-start')}
    >
      <Plus aria-hidden size={15} /> {t('New monitor')}
    </Link>
  )
  return (
    <QueryView of={monitors}>
      {({ results }) => (
        <div className="grid grid-cols-1 gap-6">
          {results.length === 0 ? (
            <EmptyState icon={Activity} title={t('No monitors yet')} action={create}>
              {t('Monitors check a metric on a schedule and alert you to anomalies.')}
            </EmptyState>
          ) : (
            <div className="grid grid-cols-1 gap-3">
              {create}
              <MonitorRows of={results} />
            </div>
          )}
          {writes && resource.entity_type === 'table' && <Suggestions table={resource.id} />}
          <PipelineGate of={resource} />
        </div>
      )}
    </QueryView>
  )
}
