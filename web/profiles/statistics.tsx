import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ColumnProfile } from '../../src/observability/profiles/schema.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { formatCount, formatPercent } from '../ui/number.ts'
import { QueryView } from '../ui/states.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { HistogramBars, TopValues } from './charts.tsx'
import { ColumnCharts } from './history.tsx'
import { profileQuery } from './queries.ts'

/** What a profile says about a column. Values of personal data are neither stored nor sent. */
export const Statistics = ({
  of: { null_percentage, distinct_values, distinct_approximate, min, max, mean, histogram, top_values, withheld },
}: {
  of: ColumnProfile
}) => (
  <>
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      <Statistic name={t('null')}>{null_percentage === null ? '—' : formatPercent(null_percentage)}</Statistic>
      <Statistic name={t('distinct')}>
        {distinct_values === null ? '—' : `${distinct_approximate ? '≈ ' : ''}${formatCount(distinct_values)}`}
      </Statistic>
      {mean !== null && <Statistic name={t('mean')}>{formatCount(Math.round(mean * 100) / 100)}</Statistic>}
      {min !== null && <Statistic name={t('min')}>{min}</Statistic>}
      {max !== null && <Statistic name={t('max')}>{max}</Statistic>}
    </dl>
    {withheld ? (
      <p className="text-xs text-faint">
        {withheld === 'pii'
          ? t('Personal data. No values are stored.')
          : t('Possible personal data. No values are stored until this is reviewed.')}
      </p>
    ) : histogram ? (
      <HistogramBars of={histogram} />
    ) : (
      top_values && <TopValues of={top_values} />
    )}
  </>
)

const Statistic = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex max-w-full gap-1">
    <dt className="text-faint">{name}</dt>
    <dd className="truncate font-medium">{children}</dd>
  </div>
)

/** The statistics of one column with their history, for a popover. */
export const ColumnStatistics = ({ id, changed }: { id: string; changed: boolean }) => (
  <QueryView of={useQuery(profileQuery(id))}>
    {({ columns: [column] }) =>
      column ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <Statistics of={column} />
          {changed && <ColumnCharts id={id} />}
          <p className="flex flex-wrap gap-x-3 text-xs text-faint">
            <Trans message="{n:# row|# rows} read {when}" n={column.rows_read} when={<RelativeTime at={column.profiled_at} />} />
            <Link to="/r/$id" params={{ id }} search={{ tab: 'profile' }} className="text-accent hover:underline">
              {t('Profile')}
            </Link>
          </p>
        </div>
      ) : (
        <p className="text-sm text-soft">{t('Not profiled yet')}</p>
      )
    }
  </QueryView>
)
