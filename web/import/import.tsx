import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileUp, Lock } from 'lucide-react'
import { useState } from 'react'
import { api, isApiError } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { useBootstrap, useCan } from '../api/session.ts'
import type { Schemas } from '../api/types.ts'
import { t } from '../i18n/messages.ts'
import { Trans } from '../i18n/trans.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Field, Select } from '../ui/field.tsx'
import { FileButton, FileDrop } from '../ui/file-drop.tsx'
import { formatBytes } from '../ui/number.ts'
import { Page } from '../ui/page.tsx'
import { EmptyState, ErrorView, Skeleton } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import { DifferenceTable } from './difference-table.tsx'
import { Imports } from './imports.tsx'
import { importsQuery } from './queries.ts'

type Result = Schemas['ImportResult']

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** Browsers know the type of a file by its name at best. */
const isXlsx = ({ name, type }: File): boolean => type === XLSX_TYPE || /\.xls[xm]?$/i.test(name)

const upload = (source: string, file: File, dry_run: boolean): Promise<Result> => {
  const [path, type] = isXlsx(file) ? ['import_xlsx_metadata', XLSX_TYPE] : ['import_metadata', 'text/csv']
  return api.post(`/integration/integrations/${source}/${path}/`, file, { query: { dry_run, file_name: file.name.slice(0, 200) }, type })
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
      for (const queryKey of [['catalog'], ['resource'], ['bootstrap'], importsQuery.queryKey])
        void queryClient.invalidateQueries({ queryKey })
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
        {!file && (
          <p className="text-sm text-soft">
            <Trans
              message="No file yet? Export resources from the {catalog} with all columns, edit them and import the file here."
              catalog={
                <Link to="/search" search={{ integration: source }} className="text-accent underline">
                  {t('catalog // in the middle of a sentence')}
                </Link>
              }
            />
          </p>
        )}
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
      <Imports />
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

/** What the API calls the whole file. */
const FILE = 'body'

/** The problems of a file, by line. */
const Problems = ({ error }: { error: Error }) => {
  const lines = isApiError(error) ? Object.entries(error.errors) : []
  if (lines.length === 0) return <ErrorView error={error} />
  return (
    <div role="alert" className="rounded-lg border border-line bg-bad-soft p-3 text-sm">
      <p className="font-medium text-bad">{t('The file cannot be imported. Nothing was changed.')}</p>
      <ul className="mt-1 list-disc ps-5">
        {lines.map(([line, problems]) => (
          <li key={line} className="first-letter:uppercase">
            {line !== FILE && `${line}: `}
            {problems.join(' ')}
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
      <DifferenceTable
        label={t('Changes by line')}
        after={t('After the import')}
        rows={differences.map((each) => ({ ...each, key: each.line, name: each.title ?? each.databuilder_id ?? '' }))}
        whole={<Badge tone="good">{t('New // a resource')}</Badge>}
      />
      {created + updated > differences.length && (
        <p className="text-xs text-faint">{t('Only the first {n} are listed.', { n: differences.length })}</p>
      )}
    </section>
  )
}
