import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNumber, readValue, VALUE_TYPES, type Valued } from '../src/properties/value-types.ts'

const of = (value_type: Valued['value_type'], options: string[] | null = null): Valued => ({ value_type, options })
const ID = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'

describe('the normal form of a value', () => {
  for (const [property, text, normal] of [
    [of('string'), ' gold ', 'gold'],
    [of('string'), 'x'.repeat(255), 'x'.repeat(255)],
    [of('string'), '😀'.repeat(255), '😀'.repeat(255)],
    [of('string'), 'x'.repeat(256), undefined],
    [of('number'), '007', '7'],
    [of('number'), '+7.50', '7.5'],
    [of('number'), '-0.0', '0'],
    [of('number'), '.5', '0.5'],
    [of('number'), '5.', '5'],
    [of('number'), '1e3', '1000'],
    [of('number'), '-12.5E-3', '-0.0125'],
    [of('number'), '12345678901234567890.123456789', '12345678901234567890.123456789'],
    [of('number'), '1e40', undefined],
    [of('number'), '0e999', '0'],
    [of('number'), 'NaN', undefined],
    [of('number'), 'Infinity', undefined],
    [of('number'), '0x10', undefined],
    [of('number'), '1,5', undefined],
    [of('number'), '٣', undefined],
    [of('number'), '.', undefined],
    [of('number'), 'e5', undefined],
    [of('boolean'), 'True', 'true'],
    [of('boolean'), 'false', 'false'],
    [of('boolean'), '1', undefined],
    [of('date'), '2026-02-28', '2026-02-28'],
    [of('date'), '2024-02-29', '2024-02-29'],
    [of('date'), '2026-02-30', undefined],
    [of('date'), '2026-13-01', undefined],
    [of('date'), '2026-01-01T00:00:00Z', undefined],
    [of('date'), '0000-01-01', undefined],
    [of('date'), '1.2.2026', undefined],
    [of('select', ['a', 'b']), 'b', 'b'],
    [of('select', ['a', 'b']), 'B', undefined],
    [of('select'), 'anything', 'anything'],
    [of('multi_select', ['a', 'b', 'c']), '[ "c", "a", "c" ]', '["a","c"]'],
    [of('multi_select', ['a']), '["a","x"]', undefined],
    [of('multi_select'), '["x, y","a"]', '["x, y","a"]'],
    [of('multi_select'), '[]', ''],
    [of('multi_select'), 'a,b', undefined],
    [of('multi_select'), '"a"', undefined],
    [of('multi_select'), '[1]', undefined],
    [of('multi_select'), '[""]', undefined],
    [of('multi_select'), '["\\u0000"]', undefined],
    [of('multi_select'), '["\\ud800"]', undefined],
    [of('multi_select'), JSON.stringify(Array.from({ length: 300 }, (_, i) => `choice ${i}`)), undefined],
    [of('user'), ID.toUpperCase().replaceAll('-', ''), ID],
    [of('resource'), ID, ID],
    [of('tag'), 'gold', undefined],
    [of('url'), 'HTTPS://Example.com', 'https://example.com/'],
    [of('url'), 'https://example.com/a b?q=ü#x', 'https://example.com/a%20b?q=%C3%BC#x'],
    [of('url'), 'http:example.com', undefined],
    [of('url'), 'https:///example.com', undefined],
    [of('url'), 'ftp://example.com', undefined],
    [of('url'), 'javascript:alert(1)', undefined],
    [of('url'), '/relative', undefined],
    [of('url'), `https://example.com/${'x'.repeat(2000)}`, undefined],
  ] as const)
    test(`${property.value_type} ${text.slice(0, 40)}`, () => expect(readValue(property, text)).toBe(normal))

  test('an empty or blank text is no value of any type', () => {
    for (const type of VALUE_TYPES) for (const text of ['', ' ', '\n']) expect(readValue(of(type), text)).toBe('')
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
      const once = readValue(property, text)
      if (once !== undefined) expect(readValue(property, once)).toBe(once)
    }),
    { numRuns: 1000, seed: 20_260_301 },
  )
})

test('a number keeps its value, and equal numbers have the same normal form', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }), fc.nat(3), (number, zeros) => {
      if (number !== 0 && Math.abs(number) < 1e-20) return
      const read = readNumber(String(number))!
      expect(Number(read)).toBe(number === 0 ? 0 : number)
      expect(read).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/)
      expect(readNumber(number.toExponential())).toBe(read)
      expect(readNumber(`${read.startsWith('-') ? '-' : '+'}${'0'.repeat(zeros)}${read.replace('-', '')}`)).toBe(read)
    }),
    { numRuns: 1000, seed: 20_260_301 },
  )
})
