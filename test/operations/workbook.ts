import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A workbook with this worksheet, and no other parts than an import needs. */
export const workbook = (sheet: string, parts: Record<string, string> = {}): Promise<Buffer> => {
  const zip = new ZipFile()
  const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`
  const all = {
    '_rels/.rels': `<Relationships>${relation('r', 'officeDocument', '/xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': '<workbook xmlns:r="x"><sheets><sheet name="a" r:id="s"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('s', 'worksheet', 'sheet.xml')}${relation('t', 'sharedStrings', 'strings.xml')}</Relationships>`,
    'xl/sheet.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...parts,
  }
  for (const [name, text] of Object.entries(all)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream)
}
export const row = (...cells: string[]) => `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
