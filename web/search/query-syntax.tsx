import { t } from '../i18n/messages.ts'
import { QUERY_FIELDS } from './query-completion.ts'

/** What can be typed into the search box. */
export const QuerySyntax = () => (
  <div className="grid gap-2">
    <h2 className="text-sm font-semibold">{t('Search syntax')}</h2>
    <table className="w-full text-sm">
      <thead className="sr-only">
        <tr>
          <th>{t('You type')}</th>
          <th>{t('You find')}</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {ROWS.map(([typed, found]) => (
          <tr key={typed}>
            <td className="py-1 pe-4 align-top">
              <code className="font-mono text-xs whitespace-nowrap">{typed}</code>
            </td>
            <td className="py-1 text-soft">{found}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p className="text-xs text-faint">{t('Put values with spaces in quotes: owner:"Maria Lopez".')}</p>
  </div>
)

const ROWS: readonly (readonly [typed: string, found: string])[] = [
  ['order items', t('All words, then most of them')],
  ['"order items"', t('This phrase')],
  ['orders -test', t('Without this word')],
  ...Object.values(QUERY_FIELDS).map(({ example, label }) => [example, label] as const),
]
