import { XLSX_TYPE } from '../../src/operations/transfer/column.ts'
import { row, workbook } from '../operations/workbook.ts'

/** A file that can be imported, by media type. */
export const FILES: Readonly<Record<string, string | Buffer>> = {
  [XLSX_TYPE]: await workbook(row('databuilder_id', 'entity_type', 'title') + row('shop', 'database', 'shop')),
  'text/csv': 'databuilder_id,parent_databuilder_id,entity_type,title\nshop,,database,shop\nshop.a,shop,table,a\n',
  'application/x-ndjson': '{"databuilder_id":"shop","entity_type":"database","title":"shop"}\n',
}
