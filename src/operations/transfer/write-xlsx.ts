import { PassThrough, pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { ZipFile } from 'yazl'
import type { Cell } from './cells.ts'
import type { ColumnKind, ExportColumn } from './column.ts'
import { MAX_CELL_LENGTH } from './read-xlsx.ts'
import { encodeXlsxText } from './xlsx-cells.ts'

/** Writes the cells of a CSV export as a workbook with one worksheet, row by row. */

/** A worksheet has 1,048,576 lines, and the first has the names. */
export const MAX_WORKSHEET_LINES = 1_048_575

// The time of the parts inside the file: equal rows give equal files.
const WRITTEN_AT = new Date(1980, 0, 1)

export const toWorkbook = (csv: Readable, columns: readonly ExportColumn[]): Readable => {
  const zip = new ZipFile()
  const sheet = Readable.from(writeSheet(csv, columns))
  const file = new PassThrough()
  for (const [path, text] of Object.entries(PARTS)) zip.addBuffer(Buffer.from(text), path, { mtime: WRITTEN_AT })
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { mtime: WRITTEN_AT })
  zip.end()
  sheet.on('error', (error) => file.destroy(error))
  pipeline(zip.outputStream, file, () => {
    sheet.destroy()
    csv.destroy()
  })
  return file
}

const ROWS_PER_CHUNK = 100

async function* writeSheet(csv: Readable, columns: readonly ExportColumn[]): AsyncGenerator<string> {
  const parser = parse({ cast: (value, { quoting }) => (value === '' && !quoting ? null : value) as string })
  pipeline(csv, parser, () => {})
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
  let [rows, line] = ['', 0]
  for await (const record of parser as AsyncIterable<Cell[]>) {
    line += 1
    const header = line === 1
    rows += `<row r="${line}">${record.map((cell, i) => writeCell(cell, header ? 'text' : columns[i]!.kind, `${toColumnLetters(i)}${line}`, header)).join('')}</row>`
    if (line % ROWS_PER_CHUNK !== 0) continue
    yield rows
    rows = ''
  }
  yield `${rows}</sheetData></worksheet>`
}

const writeCell = (cell: Cell, kind: ColumnKind, reference: string, bold: boolean): string => {
  if (cell === null) return ''
  if (kind === 'boolean') return `<c r="${reference}" t="b"><v>${cell === 'true' ? 1 : 0}</v></c>`
  // Excel keeps 15 digits of a number.
  if ((kind === 'number' || kind === 'decimal') && cell.replace(/\D/g, '').length <= 15) return `<c r="${reference}"><v>${cell}</v></c>`
  const text = cell.length > MAX_CELL_LENGTH ? `${cell.slice(0, MAX_CELL_LENGTH - 1)}…` : cell
  return `<c r="${reference}" t="inlineStr"${bold ? ' s="1"' : ''}><is><t xml:space="preserve">${escapeXml(encodeXlsxText(text.toWellFormed()))}</t></is></c>`
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const toColumnLetters = (index: number): string =>
  (index >= 26 ? toColumnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets><sheet name="Export" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`,
}
