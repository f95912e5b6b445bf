import { expect, test } from 'vitest'
import { withoutIncompleteEnd } from '../../src/assistant/conversations/answer-text.ts'
import { detectMediaType } from '../../src/catalog/attachments/media-types.ts'
import { normalizeNumber } from '../../src/catalog/properties/value-types.ts'
import { findUnknownPlaceholders, toPlaceholderValues } from '../../src/notifications/templates/placeholders.ts'
import { isDateFormat } from '../../src/operations/transfer/xlsx-cells.ts'
import { normalizeSql } from '../../src/sources/query-log/statements.ts'

/** Texts of users for which a regular expression can take minutes, while the process answers nobody. */
const CASES: Readonly<Record<string, () => unknown>> = {
  'comments at the start of a file': () => detectMediaType(Buffer.from('<!---->'.repeat(570))),
  'an answer without a space': () => withoutIncompleteEnd('a'.repeat(100_000)),
  'an answer of opening brackets': () => withoutIncompleteEnd('[a'.repeat(50_000)),
  'the number format of a worksheet': () => isDateFormat(200, '['.repeat(1_000_000)),
  'the digits of a number': () => normalizeNumber(`${'0'.repeat(200_000)}x`),
  'the zeros of a number': () => normalizeNumber(`0.${'0'.repeat(200_000)}1`),
  'the semicolons of a statement': () => normalizeSql(`select 1${';'.repeat(99_000)} x`),
  'comments of a statement that are not closed': () => normalizeSql('/*'.repeat(50_000)),
  'a placeholder that is not closed': () => findUnknownPlaceholders(`{{${' '.repeat(5_000)}`, 'incident_opened'),
  'the spaces of a title': () => toPlaceholderValues({ resource_id: null, title: ' '.repeat(100_000), lines: [] }, {}),
}
const MAX_MS = 1_000

test.each(Object.keys(CASES))('%s: the time does not explode with the length', (name) => {
  const began = performance.now()
  CASES[name]!()
  expect(performance.now() - began).toBeLessThan(MAX_MS)
})
