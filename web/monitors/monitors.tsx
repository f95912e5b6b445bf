import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Activity, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { useSettled } from '../search/use-settled.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Input, Select } from '../ui/field.tsx'
import { several } from '../ui/number.ts'
import { Page } from '../ui/page.tsx'
import { Empty, FailureView, Skeleton } from '../ui/states.tsx'
import { isFiltered, type MonitorsAddress } from './address.ts'
import { METRICS, STATUS } from './metrics.ts'
import { monitorsQuery } from './queries.ts'
import { MonitorRows } from './rows.tsx'

const route = getRouteApi('/monitors')

/** Everything that is watched, and how it stands. */
export const Monitors = () => {
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/monitors' })
  const writes = useCan('monitors.write')
  const [cleared, setCleared] = useState(0)
  useCommand('monitors.new', () => void navigate({ to: '/monitors/new' }), writes)
  const clear = () => {
    setCleared(cleared + 1) // the words begin anew with the address
    void navigate({ search: {} })
  }
  return (
    <Page
      title="Monitors"
      about="Each measures one number on a schedule, knows what is usual, and opens an incident when it is not."
      actions={writes && <NewMonitor />}
    >
      <Filters key={cleared} address={address} onChange={(change) => void navigate({ search: { ...address, ...change }, replace: true })} />
      <List address={address} onClear={clear} writes={writes} />
    </Page>
  )
}

const NewMonitor = () => (
  <Link to="/monitors/new" className={buttonClass('primary')}>
    <Plus aria-hidden size={15} /> New monitor
  </Link>
)

interface FiltersProps {
  readonly address: MonitorsAddress
  readonly onChange: (change: Partial<MonitorsAddress>) => void
}

const Filters = ({ address: { q = '', status, metric, enabled }, onChange }: FiltersProps) => {
  const [words, setWords] = useState(q)
  const settled = useSettled(words.trim())
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed leads to another address
  useEffect(() => {
    if (settled !== q) onChange({ q: settled || undefined })
  }, [settled])
  return (
    <search className="flex flex-wrap gap-2">
      <Input
        type="search"
        aria-label="Find a monitor by its name"
        placeholder="Find by name"
        value={words}
        onChange={({ target }) => setWords(target.value)}
        className="md:max-w-64"
      />
      <Select
        fit
        aria-label="Status"
        value={status ?? ''}
        onChange={({ target }) => onChange({ status: (target.value || undefined) as MonitorsAddress['status'] })}
      >
        <option value="">Any status</option>
        {Object.entries(STATUS).map(([id, { label }]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </Select>
      <Select fit aria-label="Metric" value={metric ?? ''} onChange={({ target }) => onChange({ metric: target.value || undefined })}>
        <option value="">Any metric</option>
        {METRICS.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        fit
        aria-label="Running or paused"
        value={enabled ?? ''}
        onChange={({ target }) => onChange({ enabled: (target.value || undefined) as MonitorsAddress['enabled'] })}
      >
        <option value="">Running and paused</option>
        <option value="true">Running</option>
        <option value="false">Paused</option>
      </Select>
    </search>
  )
}

const List = ({ address, onClear, writes }: { address: MonitorsAddress; onClear: () => void; writes: boolean }) => {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(monitorsQuery(address))
  if (error && !data) return <FailureView error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton lines={6} />
  const monitors = data.pages.flatMap(({ results }) => results)
  const { count } = data.pages[0]!
  if (count === 0)
    return isFiltered(address) ? (
      <Empty title="No monitor is like that" action={<Button onClick={onClear}>Clear the filters</Button>}>
        Look for another name, or at another status.
      </Empty>
    ) : (
      <Empty icon={Activity} title="Nothing is watched yet" action={writes && <NewMonitor />}>
        Begin with the row count of the table everybody uses.
      </Empty>
    )
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-sm text-soft" aria-live="polite">
        {several(count, 'monitor')}
      </p>
      <MonitorRows of={monitors} />
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  )
}
