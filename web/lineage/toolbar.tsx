import { Download, Group, Search, Workflow } from 'lucide-react'
import { type Ref, useEffect, useState } from 'react'
import { useThrottled } from '../api/use-throttled.ts'
import { pluralize, t } from '../i18n/messages.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Input, Select } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import { Segments } from '../ui/segments.tsx'
import type { LineageSearch } from './graph/search-params.ts'

interface ToolbarProps {
  readonly address: LineageSearch
  readonly change: (change: Partial<LineageSearch>) => void
  readonly found?: number
  readonly onFound: (step: 1 | -1) => void
  readonly onExport: (kind: 'png' | 'svg' | 'csv') => void
  readonly finder: Ref<HTMLInputElement>
}

const DEPTHS = [1, 2, 3, 5, 10, 50] as const

/** View, direction, depth, search and export of the graph. */
export const Toolbar = ({ address, change, found, onFound, onExport, finder }: ToolbarProps) => {
  const [list, asks] = [address.view === 'list', address.view === 'what-if']
  const depth = Number(address.depth ?? 1)
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
      <Segments
        label={t('View')}
        of={[
          ['graph', t('Graph')],
          ['list', t('List')],
          ['what-if', t('What if…')],
        ]}
        chosen={address.view ?? 'graph'}
        // Preselect the traced column in the what-if.
        onChoose={(view) =>
          change({ view: view === 'graph' ? undefined : view, ...(view === 'what-if' && { cols: address.cols ?? address.col }) })
        }
      />
      {!asks && (
        <Segments
          label={t('Direction')}
          of={
            list
              ? [
                  ['up', t('Upstream')],
                  ['both', t('Downstream')],
                ]
              : [
                  ['up', t('Upstream')],
                  ['both', t('Both')],
                  ['down', t('Downstream')],
                ]
          }
          chosen={list && address.dir !== 'up' ? 'both' : (address.dir ?? 'both')}
          onChoose={(dir) => change({ dir: dir === 'both' ? undefined : dir })}
        />
      )}
      {!list && !asks && (
        <>
          <Segments
            label={t('Level')}
            of={[
              ['table', t('Tables')],
              ['column', t('Columns')],
            ]}
            chosen={address.level ?? 'table'}
            onChoose={(level) => change({ level: level === 'column' ? 'column' : undefined, sel: undefined, col: undefined })}
          />
          <Select
            fit
            className="text-sm"
            aria-label={t('Depth')}
            value={depth}
            onChange={({ currentTarget: { value } }) => change({ depth: value === '1' ? undefined : value })}
          >
            {[...new Set([...DEPTHS, depth])]
              .sort((a, b) => a - b)
              .map((n) => (
                <option key={n} value={n}>
                  {n === 50 ? t('All levels') : pluralize(n, 'level')}
                </option>
              ))}
          </Select>
          <Button
            look={address.group ? 'plain' : 'quiet'}
            icon={Group}
            aria-pressed={address.group !== undefined}
            onClick={() => change({ group: address.group ? undefined : 'schema', open: undefined })}
          >
            {t('Group by schema')}
          </Button>
          {!address.level && (
            <Button
              look={address.jobs ? 'plain' : 'quiet'}
              icon={Workflow}
              aria-pressed={address.jobs !== undefined}
              onClick={() => change({ jobs: address.jobs ? undefined : '1', sel: undefined })}
            >
              {t('Show jobs')}
            </Button>
          )}
          <FindInput {...{ address, change, found, onFound, finder }} />
          <Menu
            label={t('Export')}
            align="end"
            items={[
              { label: t('PNG image'), onSelect: () => onExport('png') },
              { label: t('SVG image'), onSelect: () => onExport('svg') },
              { label: t('Links as CSV'), onSelect: () => onExport('csv') },
            ]}
            trigger={(props) => (
              <button type="button" {...props} title={t('Export')} className={buttonClass()}>
                <Download aria-hidden size={15} /> <span className="max-2xl:sr-only">{t('Export')}</span>
              </button>
            )}
          />
        </>
      )}
    </div>
  )
}

/** Finds boxes by name, path or visible column; Enter moves to the next match. */
const FindInput = ({
  address,
  change,
  found,
  onFound,
  finder,
}: Pick<ToolbarProps, 'address' | 'change' | 'found' | 'onFound' | 'finder'>) => {
  const [typed, setTyped] = useState(address.find ?? '')
  const query = useThrottled(typed)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing updates the URL
  useEffect(() => {
    if (query !== (address.find ?? '')) change({ find: query || undefined })
  }, [query])
  return (
    <div className="relative ms-auto min-w-32 flex-1 md:max-w-64">
      <Search aria-hidden size={14} className="absolute start-2.5 top-2 text-faint" />
      <Input
        ref={finder}
        type="search"
        aria-label={t('Find in graph')}
        placeholder={t('Find in graph')}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onFound(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') setTyped('')
        }}
        className={cx('ps-8 text-sm', address.find && 'pe-16')}
      />
      <span role="status" className="absolute end-2.5 top-1.5 text-xs leading-5 text-faint">
        {address.find && found !== undefined ? t('{count} found', { count: found }) : ''}
      </span>
    </div>
  )
}
