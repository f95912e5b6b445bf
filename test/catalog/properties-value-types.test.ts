import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizeNumber, normalizeValue, VALUE_TYPES, type ValueRules } from '../../src/catalog/properties/value-types.ts'

const rulesFor = (value_type: ValueRules['value_type'], options: string[] | null = null): ValueRules => ({ value_type, options })
const ID = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'

describe('the normal form of a value', () => {
  for (const [property, text, normal] of [
    [rulesFor('string'), ' gold ', 'gold'],
    [rulesFor('string'), 'x'.repeat(255), 'x'.repeat(255)],
    [rulesFor('string'), '😀'.repeat(255), '😀'.repeat(255)],
    [rulesFor('string'), 'x'.repeat(256), undefined],
    [rulesFor('number'), '007', '7'],
    [rulesFor('number'), '+7.50', '7.5'],
    [rulesFor('number'), '-0.0', '0'],
    [rulesFor('number'), '.5', '0.5'],
    [rulesFor('number'), '5.', '5'],
    [rulesFor('number'), '1e3', '1000'],
    [rulesFor('number'), '-12.5E-3', '-0.0125'],
    [rulesFor('number'), '12345678901234567890.123456789', '12345678901234567890.123456789'],
    [rulesFor('number'), '1e40', undefined],
    [rulesFor('number'), '0e999', '0'],
    [rulesFor('number'), 'NaN', undefined],
    [rulesFor('number'), 'Infinity', undefined],
    [rulesFor('number'), '0x10', undefined],
    [rulesFor('number'), '1,5', undefined],
    [rulesFor('number'), '٣', undefined],
    [rulesFor('number'), '.', undefined],
    [rulesFor('number'), 'e5', undefined],
    [rulesFor('boolean'), 'True', 'true'],
    [rulesFor('boolean'), 'false', 'false'],
    [rulesFor('boolean'), '1', undefined],
    [rulesFor('date'), '2026-02-28', '2026-02-28'],
    [rulesFor('date'), '2024-02-29', '2024-02-29'],
    [rulesFor('date'), '2026-02-30', undefined],
    [rulesFor('date'), '2026-13-01', undefined],
    [rulesFor('date'), '2026-01-01T00:00:00Z', undefined],
    [rulesFor('date'), '0000-01-01', undefined],
    [rulesFor('date'), '1.2.2026', undefined],
    [rulesFor('select', ['a', 'b']), 'b', 'b'],
    [rulesFor('select', ['a', 'b']), 'B', undefined],
    [rulesFor('select'), 'anything', 'anything'],
    [rulesFor('multi_select', ['a', 'b', 'c']), '[ "c", "a", "c" ]', '["a","c"]'],
    [rulesFor('multi_select', ['a']), '["a","x"]', undefined],
    [rulesFor('multi_select'), '["x, y","a"]', '["x, y","a"]'],
    [rulesFor('multi_select'), '[]', ''],
    [rulesFor('multi_select'), 'a,b', undefined],
    [rulesFor('multi_select'), '"a"', undefined],
    [rulesFor('multi_select'), '[1]', undefined],
    [rulesFor('multi_select'), '[""]', undefined],
    [rulesFor('multi_select'), '["\\u0000"]', undefined],
    [rulesFor('multi_select'), '["\\ud800"]', undefined],
    [rulesFor('multi_select'), JSON.stringify(Array.from({ length: 300 }, (_, i) => `choice ${i}`)), undefined],
    [rulesFor('user'), ID.toUpperCase().replaceAll('-', ''), ID],
    [rulesFor('resource'), ID, ID],
    [rulesFor('tag'), 'gold', undefined],
    [rulesFor('url'), 'HTTPS://Example.com', 'https://example.com/'],
    [rulesFor('url'), 'https://example.com/a b?q=ü#x', 'https://example.com/a%20b?q=%C3%BC#x'],
    [rulesFor('url'), 'http:example.com', undefined],
    [rulesFor('url'), 'https:///example.com', undefined],
    [rulesFor('url'), 'ftp://example.com', undefined],
    [rulesFor('url'), 'javascript:alert(1)', undefined],
    [rulesFor('url'), '/relative', undefined],
    [rulesFor('url'), `https://example.com/${'x'.repeat(2000)}`, undefined],
  ] as const)
    test(`${property.value_type} ${text.slice(0, 40)}`, () => expect(normalizeValue(property, text)).toBe(normal))

  test('an empty or blank text is no value of any type', () => {
    for (const type of VALUE_TYPES) for (const text of ['', ' ', '\n']) expect(normalizeValue(rulesFor(type), text)).toBe('')
  })
})

test('normalizing twice gives the same result for any input', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.double().map(String),
    fc.webUrl(),
    fc.uuid(),
    fc.json(),
    fc.constantFrom('true', '2026-01-01', '["a","b"]', '["b"]', '0.10'),
  )
  const property = fc.record({ value_type: fc.constantFrom(...VALUE_TYPES), options: fc.constantFrom(null, ['a', 'b']) })
  fc.assert(
    fc.property(property, text, (property, text) => {
      const once = normalizeValue(property, text)
      if (once !== undefined) expect(normalizeValue(property, once)).toBe(once)
    }),
    { numRuns: 1000, seed: 20_260_301 },
  )
})

test('a number keeps its value, and equal numbers have the same normal form', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }), fc.nat(3), (number, zeros) => {
      if (number !== 0 && Math.abs(number) < 1e-20) return
      const read = normalizeNumber(String(number))!
      expect(Number(read)).toBe(number === 0 ? 0 : number)
      expect(read).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/)
      expect(normalizeNumber(number.toExponential())).toBe(read)
      expect(normalizeNumber(`${read.startsWith('-') ? '-' : '+'}${'0'.repeat(zeros)}${read.replace('-', '')}`)).toBe(read)
    }),
    { numRuns: 1000, seed: 20_260_301 },
  )
})
