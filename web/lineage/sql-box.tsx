import { lazy, Suspense, useState } from 'react'
import type { SqlEditorProps } from '../editor/sql-editor.tsx'
import { Skeleton } from '../ui/states.tsx'
import { t } from '../words/words.ts'

const SqlEditor = lazy(async () => ({ default: (await import('../editor/sql-editor.tsx')).SqlEditor }))

const LONGEST_IN_ADDRESS = 6000 // proxies reject longer URLs

/** The submitted SQL: in the URL if it fits, else in memory. `keep` returns the value for the URL. */
export const useAskedSql = (said: string | undefined) => {
  const [long, setLong] = useState<string>()
  const keep = (text: string): string | undefined => {
    const fits = text.length <= LONGEST_IN_ADDRESS
    setLong(fits ? undefined : text)
    return fits ? text : undefined
  }
  return { sql: said ?? long, long: long !== undefined, keep }
}

/** SQL editor with its errors. */
export const SqlBox = ({ wrong, long, ...editor }: SqlEditorProps & { wrong?: readonly string[]; long: boolean }) => (
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
