import { posix } from 'node:path'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { type Cell, parseHeader, toLineFields } from './cells.ts'
import type { ReadLine } from './read-jsonl.ts'
import { fileTooLarge, MAX_IMPORT_BYTES, MAX_IMPORT_LINE_BYTES } from './uploaded-file.ts'
import { type CellContext, decodeXlsxText, isDateFormat, parseColumnIndex, type RawCell, toCell } from './xlsx-cells.ts'
import { WorkbookParts } from './xlsx-parts.ts'

const MAX_XLSX_BYTES = 25 * 1024 * 1024 // held in memory: the index of the archive is at its end
const MAX_COLUMNS = 1000 // gaps between cells are filled, so a bound on the archive is none on its rows
const MAX_ROW = 1_048_576
/** The longest text of a cell in Excel, which cuts longer ones: importing one would lose the rest. */
export const MAX_CELL_LENGTH = 32_767

/** Reads the first worksheet of a workbook. The first line has the column names, as in a CSV file. */
export async function* readXlsx(bytes: AsyncIterable<Buffer>): AsyncGenerator<ReadLine> {
  const parts = await WorkbookParts.open(await collect(bytes))
  const { sheet, ...workbook } = await readWorkbook(parts)
  let names: string[] | undefined
  let size = 0
  for await (const { line, cells } of readRows(parts, sheet, workbook)) {
    const length = cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0)
    // Many cells can share one long text, so the size of the archive does not limit what is in its cells.
    size += length
    if (size > MAX_IMPORT_BYTES) throw fileTooLarge()
    if (!names) names = parseHeader(trimEnd(cells), line)
    else if (length > MAX_IMPORT_LINE_BYTES) yield { line, errors: { line: ['is too long.'] } }
    else yield { line, ...toLine(names, cells) }
  }
}

const toLine = (names: readonly string[], cells: readonly Cell[]): Omit<ReadLine, 'line'> => {
  const record = names.map((_, i) => cells[i] ?? null)
  if (cells.slice(names.length).some((cell) => cell !== null))
    return { errors: { line: [`has ${cells.length} cells, but the header has ${names.length}.`] } }
  const cut = record.findIndex((cell) => cell !== null && cell.length >= MAX_CELL_LENGTH)
  if (cut >= 0)
    return {
      errors: {
        [names[cut]!]: ['has as many characters as a cell can have, so the rest may be missing. Use CSV or JSONL for longer texts.'],
      },
    }
  return { fields: toLineFields(names, record) }
}

const trimEnd = (cells: readonly Cell[]): readonly Cell[] => cells.slice(0, cells.findLastIndex((cell) => cell !== null && cell !== '') + 1)

const collect = async (bytes: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_XLSX_BYTES)
      throw new ApiError(
        'payload_too_large',
        translatable('The workbook is too large. The limit is {max} MB.', { max: MAX_XLSX_BYTES / 1024 / 1024 }),
      )
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

interface Workbook extends CellContext {
  readonly sheet: string
}

const readWorkbook = async (parts: WorkbookParts): Promise<Workbook> => {
  const path = (await readRelations(parts, '')).find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml'
  const sheets: { id: string; hidden: boolean }[] = []
  let date1904 = false
  await run(
    parts.parse(path, {
      open: (name, attributes) => {
        if (name === 'sheet') sheets.push({ id: relationOf(attributes), hidden: (attributes.state ?? 'visible') !== 'visible' })
        if (name === 'workbookPr') date1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      },
    }),
  )
  const relations = await readRelations(parts, path)
  const first = sheets.find(({ hidden }) => !hidden) ?? sheets[0]
  const sheet = relations.find(({ id }) => id === first?.id)?.target
  if (!sheet) throw invalid({ body: ['contains no worksheet.'] })
  const partOf = (kind: string) => relations.find(({ type }) => type.endsWith(`/${kind}`))?.target
  return {
    sheet,
    date1904,
    strings: await readStrings(parts, partOf('sharedStrings')),
    dateStyles: await readDateStyles(parts, partOf('styles')),
  }
}

/** The attribute `r:id`; the prefix can be another. */
const relationOf = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''

interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
}

/** What a part refers to. Targets are relative to the part. */
const readRelations = async (parts: WorkbookParts, path: string): Promise<Relation[]> => {
  const file = posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`)
  const found: Relation[] = []
  if (parts.has(file))
    await run(
      parts.parse(file, {
        open: (name, { Id: id = '', Type: type = '', Target = '' }) => {
          if (name === 'Relationship')
            found.push({ id, type, target: posix.join('/', posix.dirname(path), toAbsolute(path, Target)).slice(1) })
        },
      }),
    )
  return found
}

const toAbsolute = (path: string, target: string): string =>
  target.startsWith('/') ? posix.relative(posix.join('/', posix.dirname(path)), target) : target

const readStrings = async (parts: WorkbookParts, path: string | undefined): Promise<string[]> => {
  const strings: string[] = []
  let [text, inText, phonetic] = ['', false, false]
  if (path && parts.has(path))
    await run(
      parts.parse(path, {
        open: (name) => {
          if (name === 'si') text = ''
          if (name === 'rPh') phonetic = true // how to pronounce the text
          if (name === 't') inText = !phonetic
        },
        text: (more) => {
          if (inText) text += more
        },
        close: (name) => {
          if (name === 't') inText = false
          if (name === 'rPh') phonetic = false
          if (name === 'si') strings.push(decodeXlsxText(text))
        },
      }),
    )
  return strings
}

const readDateStyles = async (parts: WorkbookParts, path: string | undefined): Promise<Set<number>> => {
  const formats = new Map<number, string>()
  const styles = new Set<number>()
  let [inCells, index] = [false, 0]
  if (path && parts.has(path))
    await run(
      parts.parse(path, {
        open: (name, { numFmtId = '', formatCode = '' }) => {
          if (name === 'numFmt') formats.set(Number(numFmtId), formatCode)
          if (name === 'cellXfs') inCells = true
          if (name === 'xf' && inCells) {
            if (isDateFormat(Number(numFmtId), formats.get(Number(numFmtId)))) styles.add(index)
            index += 1
          }
        },
        close: (name) => {
          if (name === 'cellXfs') inCells = false
        },
      }),
    )
  return styles
}

interface Row {
  readonly line: number
  readonly cells: readonly Cell[]
}

/** Rows without any value are left out. */
const readRows = (parts: WorkbookParts, path: string, context: CellContext): AsyncGenerator<Row> => {
  let rows: Row[] = []
  let cells: Cell[] = []
  let [line, column, inText, phonetic] = [0, -1, false, false]
  let cell: RawCell | undefined
  const handlers = {
    open: (name: string, attributes: Readonly<Record<string, string>>) => {
      if (name === 'row') {
        const given = Number(attributes.r)
        line = given > line && given <= MAX_ROW && Number.isInteger(given) ? given : line + 1
        cells = []
        column = -1
      } else if (name === 'c') {
        column = parseColumnIndex(attributes.r ?? '') ?? column + 1
        cell = { type: attributes.t ?? '', style: Number(attributes.s ?? -1), text: '' }
      } else if (name === 'rPh') phonetic = true
      else if (name === 'v' || name === 't') inText = cell !== undefined && !phonetic
    },
    text: (more: string) => {
      if (inText && cell) cell = { ...cell, text: cell.text + more }
    },
    close: (name: string) => {
      if (name === 'v' || name === 't') inText = false
      else if (name === 'rPh') phonetic = false
      else if (name === 'c' && cell) {
        const value = toCell(cell, context)
        if (value !== null && column >= MAX_COLUMNS) throw invalid({ [`line ${line}`]: [`has more than ${MAX_COLUMNS} cells.`] })
        while (value !== null && cells.length < column) cells.push(null)
        if (value !== null) cells[column] = value
        cell = undefined
      } else if (name === 'row' && cells.length > 0) rows.push({ line, cells })
    },
  }
  return parts.parse(path, handlers, () => {
    const taken = rows
    rows = []
    return taken
  })
}

const run = async (parsing: AsyncGenerator<unknown>): Promise<void> => {
  for await (const _ of parsing);
}
