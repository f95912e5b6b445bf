import { Link } from '@tanstack/react-router'
import { Columns3, Download, FileUp, Group, ListFilter } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCan } from '../api/session.ts'
import { useCommand } from '../commands/use-command.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import { COLUMN_CONFIGS, getVisibleColumns } from './columns.tsx'
import { buildEditableExportUrl, buildExportUrl } from './queries.ts'
import { type CatalogSearch, COLUMNS, getSort, SORTS, type SortName, toSortParam } from './search-params.ts'
import { SavedViews } from './views/saved-views.tsx'

/** Loaded when a filter is shown or edited, or a view saved. */
const FilterBar = lazy(async () => ({ default: (await import('./filters/filter-bar.tsx')).FilterBar }))
const SaveViewDialog = lazy(async () => ({ default: (await import('./views/view-dialogs.tsx')).SaveViewDialog }))
const FilterBuilder = lazy(async () => ({ default: (await import('./filters/filter-builder.tsx')).FilterBuilder }))

interface ToolbarProps {
  readonly address: CatalogSearch
  readonly onChange: (change: Partial<CatalogSearch>) => void
  readonly corrections: readonly { typed: string; meant: readonly string[] }[]
  readonly children: ReactNode
}

/** Result count, sort order, columns and saved views. */
export const Toolbar = ({ address, onChange, corrections, children }: ToolbarProps) => {
  const shown = getVisibleColumns(address)
  const writes = useCan('catalog.write')
  const [saving, setSaving] = useState(false)
  const [filtering, setFiltering] = useState(false)
  useCommand('results.save-view', () => setSaving(true))
  useCommand('results.filter', () => setFiltering(true))
  const grouped = address.group !== undefined
  const group = () => onChange({ group: grouped ? undefined : 'type' })
  useCommand('results.group', group)
  return (
    <>
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1">
        <div className="flex min-w-44 flex-1 flex-wrap items-center gap-x-3 max-md:basis-full">
          {children}
          <Correction address={address} corrections={corrections} />
        </div>
        <Select
          aria-label={t('Sort')}
          value={getSort(address)}
          onChange={({ target: { value } }) => onChange({ sort: toSortParam(value as SortName, address.q) })}
          small
          fit
          quiet
          className="field-sizing-content"
        >
          {Object.entries(SORTS)
            .filter(([name]) => name !== 'relevance' || address.q)
            .map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
        </Select>
        <IconButton
          label={t('Group by type')}
          icon={Group}
          aria-pressed={grouped}
          onClick={group}
          className={grouped ? 'bg-accent-soft text-accent' : ''}
        />
        <Button small look="quiet" icon={ListFilter} onClick={() => setFiltering(true)}>
          {t('Filter')}
        </Button>
        <SavedViews address={address} onSave={() => setSaving(true)} />
        <span className="hidden items-center gap-1 md:flex">
          <Menu
            label={t('Columns')}
            align="end"
            trigger={(props) => (
              <button type="button" {...props} className={buttonClass('quiet', true)}>
                <Columns3 aria-hidden size={15} /> {t('Columns')}
              </button>
            )}
            items={COLUMNS.map((name) => ({
              label: COLUMN_CONFIGS[name].title,
              checked: shown.includes(name),
              onSelect: () => {
                const now = COLUMNS.filter((each) => (each === name ? !shown.includes(name) : shown.includes(each)))
                onChange({ columns: now.length > 0 ? now.join(',') : 'none' })
              },
            }))}
          />
          <Menu
            label={t('Export')}
            align="end"
            trigger={(props) => (
              <button type="button" {...props} className={buttonClass('quiet', true)}>
                <Download aria-hidden size={15} /> {t('Export')}
              </button>
            )}
            items={[
              { label: t('Columns on screen (CSV)'), onSelect: () => location.assign(buildExportUrl(address, shown)) },
              { label: t('Columns on screen (Excel)'), onSelect: () => location.assign(buildExportUrl(address, shown, 'xlsx')) },
              {
                label: t('All columns, to edit and import (CSV)'),
                onSelect: () => location.assign(buildEditableExportUrl(address, 'csv')),
              },
              {
                label: t('All columns, to edit and import (Excel)'),
                onSelect: () => location.assign(buildEditableExportUrl(address, 'xlsx')),
              },
            ]}
          />
          {writes && (
            <Link to="/import" className={buttonClass('quiet', true)}>
              <FileUp aria-hidden size={15} /> {t('Import')}
            </Link>
          )}
        </span>
      </div>
      {address.filter && (
        <Suspense fallback={<div className="h-10 border-b border-line bg-sunken" />}>
          <FilterBar filter={address.filter} onEdit={() => setFiltering(true)} onRemove={() => onChange({ filter: undefined })} />
        </Suspense>
      )}
      {filtering && (
        <Suspense>
          <FilterBuilder filter={address.filter} onApply={(filter) => onChange({ filter })} onClose={() => setFiltering(false)} />
        </Suspense>
      )}
      {saving && (
        <Suspense>
          <SaveViewDialog address={address} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Says which words were searched instead of the typed ones, and leads back to those, or to the correction if there is nothing else. */
const Correction = ({ address, corrections }: Pick<ToolbarProps, 'address' | 'corrections'>) => {
  const link = 'text-accent underline underline-offset-2'
  if (address.spelling === 'off')
    return (
      <p className="text-sm text-soft">
        <Link to="/search" search={{ ...address, spelling: undefined }} className={link}>
          {t('Search with spelling correction')}
        </Link>
      </p>
    )
  if (corrections.length === 0 || !address.q) return null
  return (
    <p className="text-sm text-soft">
      <Trans
        message="Showing results for {meant}. {literal}"
        meant={
          <span className="font-medium text-ink">{corrections.map(({ meant }) => meant.slice(0, MAX_MEANT).join(', ')).join(' · ')}</span>
        }
        literal={
          <Link to="/search" search={{ ...address, spelling: 'off' }} className={link}>
            {t('Search for “{words}” instead', { words: address.q })}
          </Link>
        }
      />
    </p>
  )
}
const MAX_MEANT = 3
