import { ChevronDown, Copy } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copyable-command.tsx'
import { Menu } from '../ui/menu.tsx'
import type { CellPosition, TableColumn } from './rows-table.tsx'

export type Cell = string | number | boolean | null

/** As RFC 4180 says: quoted where it is needed. */
const toCsvLine = (cells: readonly Cell[]): string =>
  cells
    .map((cell) => {
      const text = String(cell ?? '')
      return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    .join(',')

const toCsv = (columns: readonly TableColumn[], rows: readonly (readonly Cell[])[]): string =>
  [columns.map(({ title }) => title), ...rows].map(toCsvLine).join('\r\n')

/** Tab-separated, as spreadsheets paste it. */
const toTabs = (columns: readonly TableColumn[], rows: readonly (readonly Cell[])[]): string =>
  [columns.map(({ title }) => title), ...rows]
    .map((cells) => cells.map((cell) => String(cell ?? '').replaceAll(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n')

interface CopyRowsProps {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly Cell[])[]
  readonly selected: CellPosition | undefined
}

/** Copies what is shown: the selected cell, its row, or all rows. */
export const CopyRows = ({ columns, rows, selected }: CopyRowsProps) => {
  const row = selected && rows[selected.row]
  return (
    <Menu
      label={t('Copy')}
      align="end"
      trigger={(props) => (
        <Button small icon={Copy} {...props}>
          {t('Copy')} <ChevronDown aria-hidden size={13} />
        </Button>
      )}
      items={[
        {
          label: t('Copy cell'),
          disabled: !row,
          onSelect: () => void copyText(String(row?.[selected?.column ?? 0] ?? '')),
        },
        { label: t('Copy row as CSV'), disabled: !row, onSelect: () => row && void copyText(toCsv(columns, [row])) },
        { label: t('Copy table as CSV'), disabled: rows.length === 0, onSelect: () => void copyText(toCsv(columns, rows)) },
        {
          label: t('Copy table for a spreadsheet'),
          disabled: rows.length === 0,
          onSelect: () => void copyText(toTabs(columns, rows)),
        },
      ]}
    />
  )
}
