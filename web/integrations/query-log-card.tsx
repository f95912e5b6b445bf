import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { UploadReport } from '../../src/sources/query-log/schema.ts'
import { api } from '../api/client.ts'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { Field, Select } from '../ui/field.tsx'
import { FileChooser } from '../ui/file-drop.tsx'
import { formatCount } from '../ui/number.ts'
import { Section } from '../ui/page.tsx'
import { ErrorView } from '../ui/states.tsx'
import { invalidateIntegration } from './queries.ts'

type Mapping = Readonly<Record<string, string>>

/** Upload of a file of executed queries: it is checked first, so that its columns can be chosen. */
export const QueryLogCard = ({ id }: { id: string }) => {
  const [file, setFile] = useState<File>()
  const [chosen, setChosen] = useState<Mapping>({})
  const send = (file: File, mapping: Mapping, dry_run: boolean) => {
    const form = new FormData()
    form.set('file', file)
    return api.post<UploadReport>(`/integration/query_log/${id}/upload`, form, { query: { ...mapping, dry_run } })
  }
  const check = useMutation({ mutationFn: ({ file, mapping }: { file: File; mapping: Mapping }) => send(file, mapping, true) })
  const upload = useMutation({
    mutationFn: (file: File) => send(file, chosen, false),
    onSuccess: () => {
      setFile(undefined)
      check.reset()
      return invalidateIntegration(id)
    },
  })
  const choose = (next: File | undefined) => {
    setFile(next)
    setChosen({})
    upload.reset()
    if (next) check.mutate({ file: next, mapping: {} })
  }
  const change = (field: string, column: string) => {
    const { [field]: _, ...others } = chosen
    const mapping = column === '' ? others : { ...others, [field]: column }
    setChosen(mapping)
    if (file) check.mutate({ file, mapping })
  }
  const error = upload.error ?? check.error
  return (
    <Section title={t('Upload a query log')}>
      <div className="grid gap-4 text-sm">
        <p className="text-soft">
          {t('A file of executed queries: CSV with a header, JSON lines, or Parquet. Sending it again changes nothing.')}
        </p>
        <FileChooser label={t('Choose a file')} file={file} accept=".csv,.json,.jsonl,.ndjson,.parquet" onFile={choose}>
          {file?.name} {check.isPending && t('Checking…')}
        </FileChooser>
        {error && <ErrorView error={error} />}
        {file && check.data && (
          <>
            <Columns report={check.data} onChange={change} />
            <ReportSummary report={check.data} />
            <Button
              look="primary"
              busy={upload.isPending}
              disabled={!check.data.mapping.sql}
              className="justify-self-start"
              onClick={() => upload.mutate(file)}
            >
              {t('Upload')}
            </Button>
          </>
        )}
        {upload.data && !file && (
          <div role="status">
            {upload.data.repeated ? <p>{t('This file was uploaded before. Nothing changed.')}</p> : <ReportSummary report={upload.data} />}
          </div>
        )}
      </div>
    </Section>
  )
}

const FIELD_LABELS = () => ({
  sql: t('SQL // column of a query log'),
  user: t('User // column of a query log'),
  time: t('Time // column of a query log'),
  duration: t('Duration (ms)'),
  database: t('Database // column of a query log'),
  schema: t('Schema // column of a query log'),
})

const Columns = ({ report, onChange }: { report: UploadReport; onChange: (field: string, column: string) => void }) => (
  <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
    {Object.entries(FIELD_LABELS()).map(([field, label]) => (
      <Field key={field} label={label}>
        {(props) => (
          <Select {...props} value={report.mapping[field] ?? ''} onChange={({ target }) => onChange(field, target.value)}>
            {(field !== 'sql' || !report.mapping.sql) && <option value="">{t('None // no column of a query log')}</option>}
            {report.columns.map((column) => (
              <option key={column}>{column}</option>
            ))}
          </Select>
        )}
      </Field>
    ))}
  </div>
)

const ReportSummary = ({ report }: { report: UploadReport }) => (
  <div className="grid gap-1">
    <p>
      {t('{rows} rows, {statements} new statements, {executions} new executions', {
        rows: formatCount(report.rows),
        statements: formatCount(report.statements),
        executions: formatCount(report.executions),
      })}
    </p>
    {report.skipped.length > 0 && (
      <ul className="list-disc ps-5 text-soft">
        {report.skipped.map(({ reason, rows, first_line }) => (
          <li key={reason}>
            {t('{rows} skipped, the first in line {line}: {reason}', { rows: formatCount(rows), line: first_line, reason })}
          </li>
        ))}
      </ul>
    )}
  </div>
)
