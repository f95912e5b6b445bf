import { lazy, Suspense, useState } from 'react'
import type { SqlEditorProps } from '../../editor/sql-editor.tsx'
import { t } from '../../i18n/messages.ts'
import { Skeleton } from '../../ui/states.tsx'

const SqlEditor = lazy(async () => ({ default: (await import('../../editor/sql-editor.tsx')).SqlEditor }))

const MAX_URL_SQL_LENGTH = 6000 // proxies reject longer URLs

/** The submitted SQL: in the URL if it fits, else in memory. `keep` returns the value for the URL. */
export const useSubmittedSql = (urlSql: string | undefined) => {
  const [long, setLong] = useState<string>()
  const toUrlValue = (text: string): string | undefined => {
    const fits = text.length <= MAX_URL_SQL_LENGTH
    setLong(fits ? undefined : text)
    return fits ? text : undefined
  }
  return { sql: urlSql ?? long, long: long !== undefined, keep: toUrlValue }
}

/** SQL editor with its errors. */
export const SqlField = ({ wrong, long, ...editor }: SqlEditorProps & { wrong?: readonly string[]; long: boolean }) => (
  <>
    <Suspense fallback={<Skeleton lines={6} className="h-48" />}>
      <SqlEditor {...editor} />
    </Suspense>
    {wrong && (
      <p role="alert" className="text-sm text-bad">
        {wrong.join(' ')}
      </p>
    )}
    {long && <p className="text-xs text-faint">{t('The query is too long to be part of the page URL.')}</p>}
  </>
)
