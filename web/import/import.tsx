import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileUp, Lock } from 'lucide-react'
import { useState } from 'react'
import { api, isApiError } from '../api/client.ts'
import { useNames } from '../api/names.ts'
import { queryClient } from '../api/query-client.ts'
import { useBootstrap, useCan } from '../api/session.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { isId } from '../search/search-params.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Field, Select } from '../ui/field.tsx'
import { FileButton, FileDrop } from '../ui/file-drop.tsx'
import { formatBytes } from '../ui/number.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'

type Result = Schemas['ImportResult']
type Difference = Result['differences'][number]

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** Browsers know the type of a file by its name at best. */
const isXlsx = ({ name, type }: File): boolean => type === XLSX_TYPE || /\.xls[xm]?$/i.test(name)

const upload = (source: string, file: File, dry_run: boolean): Promise<Result> => {
  const [path, type] = isXlsx(file) ? ['import_xlsx_metadata', XLSX_TYPE] : ['import_metadata', 'text/csv']
  return api.post(`/integration/integrations/${source}/${path}/`, file, { query: { dry_run }, type })
}

/** Imports a CSV or XLSX file: first shows what would change, then changes it. */
export const ImportPage = () => {
  const { integrations } = useBootstrap()
  const writes = useCan('catalog.write')
  const manages = useCan('integrations.manage')
  const [source, setSource] = useState(integrations[0]?.id ?? '')
  const [file, setFile] = useState<File>()
  const check = useMutation({ mutationFn: ({ source, file }: { source: string; file: File }) => upload(source, file, true) })
  const apply = useMutation({
    mutationFn: () => upload(source, file!, false),
    onSuccess: ({ created, updated }) => {
      showToast(t('Imported: {created} created, {updated} updated', { created, updated }))
      setFile(undefined)
      check.reset()
      for (const queryKey of [['catalog'], ['resource'], ['bootstrap']]) void queryClient.invalidateQueries({ queryKey })
    },
  })
  const compare = (nextSource: string, next: File | undefined) => {
    apply.reset()
    setSource(nextSource)
    setFile(next)
    if (next && nextSource) check.mutate({ source: nextSource, file: next })
  }
  if (!writes || integrations.length === 0)
    return (
      <Page title={t('Import')}>
        <EmptyState
          icon={writes ? FileUp : Lock}
          title={writes ? t('No sources yet') : t('You don’t have access')}
          action={
            manages &&
            writes && (
              <Link to="/integrations/new" className={buttonClass('primary')}>
                {t('Add integration')}
              </Link>
            )
          }
        >
          {writes ? t('A file is imported into a source. Add one first.') : t('Only people who can edit the catalog can import files.')}
        </EmptyState>
      </Page>
    )
  return (
    <Page
      title={t('Import')}
      about={t('Change many resources with a CSV or Excel file. You see what would change before anything is written.')}
    >
      <div className="grid max-w-xl gap-4">
        <Field label={t('Source')} hint={t('Lines are matched with the resources of this source, by databuilder_id or id.')}>
          {(props) => (
            <Select {...props} value={source} onChange={({ target }) => compare(target.value, file)}>
              {integrations.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <FilePicker file={file} onFile={(next) => compare(source, next)} />
      </div>
      {check.isPending && <Skeleton lines={6} />}
      {check.error && <Problems error={check.error} />}
      {apply.error && <Problems error={apply.error} />}
      {file && check.data && !check.isPending && (
        <Comparison
          result={check.data}
          busy={apply.isPending}
          onImport={() => apply.mutate()}
          onCancel={() => compare(source, undefined)}
        />
      )}
      {apply.data && !file && (
        <p role="status" className="text-sm">
          {t('Imported: {created} created, {updated} updated', { created: apply.data.created, updated: apply.data.updated })}{' '}
          <Link to="/search" search={{ integration: source, sort: 'updated' }} className="text-accent underline">
            {t('Show the resources')}
          </Link>
        </p>
      )}
    </Page>
  )
}

const FilePicker = ({ file, onFile }: { file: File | undefined; onFile: (file: File | undefined) => void }) => {
  return (
    <FileDrop label={t('File')} onFile={onFile} className="flex flex-wrap items-center gap-3">
      <FileButton label={t('Choose a CSV or Excel file')} file={file} accept={`.csv,text/csv,.xlsx,${XLSX_TYPE}`} onFile={onFile} />
      <p className="min-w-0 truncate text-sm text-soft">{file ? `${file.name}, ${formatBytes(file.size)}` : t('or drop it here')}</p>
    </FileDrop>
  )
}

/** The problems of a file, by line. */
const Problems = ({ error }: { error: Error }) => {
  const lines = isApiError(error) ? Object.entries(error.errors) : []
  if (lines.length === 0) return <ErrorView error={error} />
  return (
    <div role="alert" className="rounded-lg border border-line bg-bad-soft p-3 text-sm">
      <p className="font-medium text-bad">{t('The file cannot be imported. Nothing was changed.')}</p>
      <ul className="mt-1 list-disc ps-5">
        {lines.map(([line, problems]) => (
          <li key={line}>
            {line}: {problems.join(' ')}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ComparisonProps {
  readonly result: Result
  readonly busy: boolean
  readonly onImport: () => void
  readonly onCancel: () => void
}

const Comparison = ({ result, busy, onImport, onCancel }: ComparisonProps) => {
  const { created, updated, unchanged, containers_published, lineage_created, ignored_fields, differences } = result
  const ids = differences.flatMap(({ changes }) => changes.flatMap(({ from, to }) => [...toIds(from), ...toIds(to)]))
  const names = useNames(ids)
  const show = (value: unknown): string => formatValue(value, (id) => names(id)?.name ?? id)
  const changes = created + updated + lineage_created
  return (
    <section aria-label={t('What would change')} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <p role="status" className="min-w-0 flex-1">
          <strong>{t('{n:# resource|# resources} to update', { n: updated })}</strong>, {t('{n} to create', { n: created })},{' '}
          {t('{n} unchanged', { n: unchanged })}
          {lineage_created > 0 && `, ${t('{n:# lineage edge|# lineage edges} to create', { n: lineage_created })}`}
          {containers_published > 0 && `, ${t('{n:# container|# containers} to publish', { n: containers_published })}`}
        </p>
        <Button onClick={onCancel}>{t('Cancel')}</Button>
        <Button look="primary" busy={busy} disabled={changes === 0} onClick={onImport}>
          {t('Import')}
        </Button>
      </div>
      {ignored_fields.length > 0 && (
        <p className="text-sm text-warn">{t('Ignored columns: {names}', { names: ignored_fields.join(', ') })}</p>
      )}
      {differences.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
        <section aria-label={t('Changes by line')} tabIndex={0} className="overflow-x-auto rounded-lg border border-line">
          <table className="w-full text-sm">
            <thead className="text-xs text-faint">
              <tr className="border-b border-line">
                {[t('Line'), t('Name'), t('Field'), t('Now'), t('After the import')].map((title) => (
                  <th key={title} scope="col" className="px-3 py-2 text-start font-medium whitespace-nowrap">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {differences.map((difference) => (
                <DifferenceRows key={difference.line} of={difference} show={show} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {created + updated > differences.length && (
        <p className="text-xs text-faint">{t('Only the first {n} are listed.', { n: differences.length })}</p>
      )}
    </section>
  )
}

const CELL = 'px-3 py-1.5 align-top'

const DifferenceRows = ({
  of: { line, change, id, databuilder_id, title, changes },
  show,
}: {
  of: Difference
  show: (value: unknown) => string
}) => {
  const name = title ?? databuilder_id ?? ''
  const head = (
    <>
      <td className={cx(CELL, 'text-faint tabular-nums')}>{line}</td>
      <th scope="row" className={cx(CELL, 'max-w-60 truncate text-start font-medium')} dir="auto">
        {id ? (
          <Link to="/r/$id" params={{ id }} className="hover:text-accent hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </th>
    </>
  )
  if (change === 'created')
    return (
      <tr>
        {head}
        <td colSpan={3} className={CELL}>
          <Badge tone="good">{t('New // a resource')}</Badge>
        </td>
      </tr>
    )
  return changes.map(({ field, from, to }, i) => (
    <tr key={field}>
      {i === 0 ? head : <td colSpan={2} />}
      <td className={cx(CELL, 'whitespace-nowrap')}>{field}</td>
      <td className={cx(CELL, 'max-w-md wrap-anywhere text-soft')} dir="auto">
        {show(from)}
      </td>
      <td className={cx(CELL, 'max-w-md wrap-anywhere')} dir="auto">
        {show(to)}
      </td>
    </tr>
  ))
}

const toIds = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string' && isId(each))

const formatValue = (value: unknown, nameOf: (id: string) => string): string => {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value)) return value.map((each) => formatValue(each, nameOf)).join(', ')
  if (typeof value === 'string') return isId(value) ? nameOf(value) : value
  return JSON.stringify(value)
}
