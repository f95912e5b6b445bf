import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useNames } from '../api/names.ts'
import { t } from '../i18n/messages.ts'
import { getFieldLabel } from '../resources/field-labels.ts'
import { isId } from '../search/search-params.ts'
import { cx } from '../ui/cx.ts'

interface DifferenceRow {
  readonly key: string | number
  /** The number of its line, in a comparison of a file. */
  readonly line?: number
  readonly id: string | null
  readonly name: string
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[]
}

interface DifferenceTableProps {
  readonly label: string
  /** Heading of the values that come after. */
  readonly after: string
  readonly rows: readonly DifferenceRow[]
  /** What happens to a resource without changes of fields. */
  readonly whole: ReactNode
}

/** Resources with their fields now and after a change. */
export const DifferenceTable = ({ label, after, rows, whole }: DifferenceTableProps) => {
  const names = useNames(rows.flatMap(({ changes }) => changes.flatMap(({ from, to }) => [...toIds(from), ...toIds(to)])))
  if (rows.length === 0) return null
  const show = (value: unknown): string => formatValue(value, (id) => names(id)?.name ?? id)
  const numbered = rows.some(({ line }) => line !== undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable
    <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full text-sm">
        <thead className="text-xs text-faint">
          <tr className="border-b border-line">
            {[...(numbered ? [t('Line')] : []), t('Name'), t('Field'), t('Now'), after].map((title) => (
              <th key={title} scope="col" className="px-3 py-2 text-start font-medium whitespace-nowrap">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <Difference key={row.key} row={row} numbered={numbered} whole={whole} show={show} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

const CELL = 'px-3 py-1.5 align-top'

interface DifferenceProps extends Pick<DifferenceTableProps, 'whole'> {
  readonly row: DifferenceRow
  readonly numbered: boolean
  readonly show: (value: unknown) => string
}

const Difference = ({ row: { line, id, name, changes }, numbered, whole, show }: DifferenceProps) => {
  const head = (
    <>
      {numbered && <td className={cx(CELL, 'text-faint tabular-nums')}>{line}</td>}
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
  if (changes.length === 0)
    return (
      <tr>
        {head}
        <td colSpan={3} className={CELL}>
          {whole}
        </td>
      </tr>
    )
  return changes.map(({ field, from, to }, i) => (
    <tr key={field}>
      {i === 0 ? head : <td colSpan={numbered ? 2 : 1} />}
      <td className={cx(CELL, 'whitespace-nowrap')}>{formatField(field)}</td>
      <td className={cx(CELL, 'min-w-32 max-w-md wrap-anywhere text-soft')} dir="auto">
        {show(from)}
      </td>
      <td className={cx(CELL, 'min-w-32 max-w-md wrap-anywhere')} dir="auto">
        {show(to)}
      </td>
    </tr>
  ))
}

/** A field as people know it, a custom property by its name. */
export const formatField = (field: string): string => {
  const property = /^(?:custom_)?property:(.*)/.exec(field)
  return property ? property[1]! : getFieldLabel(field)
}

const toIds = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string' && isId(each))

const formatValue = (value: unknown, nameOf: (id: string) => string): string => {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value)) return value.map((each) => formatValue(each, nameOf)).join(', ')
  if (typeof value === 'string') return isId(value) ? nameOf(value) : value
  return JSON.stringify(value)
}
