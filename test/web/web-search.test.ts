import { describe, expect, test } from 'vitest'
import { QUERY_FIELDS as SERVER_QUERY_FIELDS } from '../../src/catalog/query-language/query-fields.ts'
import { getFieldsFor } from '../../src/catalog/records/fields.ts'
import { parseFilter as parseServerFilter } from '../../src/platform/lists/filter.ts'
import { SYSTEM } from '../../src/platform/permissions/permissions.ts'
import { FILTER_FIELDS } from '../../web/search/filters/filter-fields.ts'
import {
  changeNode,
  describeFilter,
  type FilterNames,
  locateErrors,
  OPERATORS_BY_KIND,
  parseFilter,
  stringifyFilter,
  takesValue,
} from '../../web/search/filters/filter-model.ts'
import { findFields, findToken, insertTerm, QUERY_FIELDS } from '../../web/search/query-completion.ts'
import { type CatalogSearch, getSelectedProperties, parseViewQuery, toggleFacetValue, toViewQuery } from '../../web/search/search-params.ts'

/** Logic of the search page that needs no browser. */
describe('completion', () => {
  test('offers the fields of the server', () => expect(Object.keys(QUERY_FIELDS).toSorted()).toEqual([...SERVER_QUERY_FIELDS].toSorted()))

  for (const [typed, field, text] of [
    ['orders ty|', undefined, 'ty'],
    ['type:das|', 'type', 'das'],
    ['orders owner:"Maria L|', 'owner', 'Maria L'],
    ['owner:"Maria Lopez" ta|', undefined, 'ta'],
    ['"daily sales" in:sho|p x', 'in', 'sho'],
    ['tag:|', 'tag', ''],
  ] as const)
    test(typed, () => expect(findToken(typed.replace('|', ''), typed.indexOf('|'))).toMatchObject({ text, ...(field && { field }) }))

  test('leaves phrases, unknown fields and single letters alone', () => {
    expect(findToken('"daily ty', 9)).toBeUndefined()
    expect(findToken('https:ty', 8)).toBeUndefined()
    expect(findFields(findToken('t', 1)!)).toEqual([])
    expect(findFields(findToken('te', 2)!)).toEqual(['team', 'term'])
  })

  test('replaces the token at the caret and continues an unfinished term', () => {
    const insert = (typed: string, term: string) => {
      const [text, caret] = [typed.replace('|', ''), typed.indexOf('|')]
      const next = insertTerm(text, findToken(text, caret)!, term)
      return `${next.text.slice(0, next.caret)}|${next.text.slice(next.caret)}`
    }
    expect(insert('daily ow|', 'owner:')).toBe('daily owner:|')
    expect(insert('owner:mar| daily', 'owner:"Maria Lopez"')).toBe('owner:"Maria Lopez" |daily')
    expect(insert('property:sal|', 'property:"Sales channels="')).toBe('property:"Sales channels=|')
    expect(insert('property:"Sales channels=we|', 'property:"Sales channels=web"')).toBe('property:"Sales channels=web" |')
    expect(insert('in:sh|op daily', 'in:shop.public')).toBe('in:shop.public |daily')
  })
})

describe('filter builder', () => {
  const NAMES: FilterNames = {
    field: (name) => FILTER_FIELDS.find((field) => field.name === name) ?? { label: name, kind: 'text' },
    value: (_, value) => value,
  }
  const nested = {
    operator: 'and',
    operands: [
      { operator: 'in', field: 'entity_type', value: ['table', 'chart'] },
      {
        operator: 'not',
        operands: [
          {
            operator: 'or',
            operands: [
              { operator: 'is_set', field: 'owners' },
              { operator: 'gte', field: 'row_count', value: '5' },
            ],
          },
        ],
      },
    ],
  }

  test('keeps the filter of the URL and says it in words', () => {
    const group = parseFilter(JSON.stringify(nested))!
    expect(JSON.parse(stringifyFilter(group)!)).toEqual(nested)
    expect(describeFilter(group, NAMES)).toBe('Type is any of table, chart and not (Owner is set or Rows ≥ 5)')
    for (const text of ['{', 'null', '[]', '{"operator":"and"}', '{"field":"title"}']) expect(parseFilter(text), text).toBeUndefined()
  })

  test('without conditions there is no filter', () => {
    const group = parseFilter(
      JSON.stringify({ operator: 'and', operands: [{ operator: 'or', operands: [{ operator: 'is_set', field: 'title' }] }] }),
    )!
    const inner = group.children[0]! as typeof group
    expect(stringifyFilter(changeNode(group, inner.children[0]!.key, () => undefined))).toBeUndefined()
    expect(stringifyFilter(parseFilter(undefined)!)).toBeUndefined()
  })

  test('finds the condition of a server error', () => {
    const group = parseFilter(
      JSON.stringify({ ...nested, operands: [nested.operands[1], { operator: 'exact', field: 'row_count', value: 'many' }] }),
    )!
    const problem = (): unknown => {
      try {
        return parseServerFilter(stringifyFilter(group)!, getFieldsFor(SYSTEM))
      } catch (error) {
        return (error as { errors: Record<string, string[]> }).errors
      }
    }
    expect([...locateErrors(group, problem() as Record<string, string[]>)]).toEqual([[group.children[1]!.key, 'must be a number.']])
    const [none] = group.children as unknown as [typeof group]
    const errors = locateErrors(group, { 'filter.operands[0].operands[0].operands[1].value': ['wrong'], filter: ['all wrong'] })
    expect([...errors]).toEqual([
      [none.children[1]!.key, 'wrong'],
      [group.key, 'all wrong'],
    ])
  })

  test('the server accepts every field with every operator that is offered', () => {
    const VALUES = { text: 'a', number: '1', date: '2026-01-31', flag: 'true', choice: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f' }
    for (const { name, kind } of FILTER_FIELDS)
      for (const operator of OPERATORS_BY_KIND[kind]) {
        const value = operator === 'in' ? [name === 'health' ? 'ok' : VALUES[kind]] : VALUES[kind]
        expect(() =>
          parseServerFilter(JSON.stringify({ operator, field: name, ...(takesValue(operator) && { value }) }), getFieldsFor(SYSTEM)),
        ).not.toThrow()
      }
  })
})

test('custom properties are facets, and a view saves all of the URL but the preview', () => {
  const chosen = toggleFacetValue(toggleFacetValue<CatalogSearch>({ q: 'a' }, 'custom_property:p1', 'x, y'), 'custom_property:p1', 'true')
  expect(getSelectedProperties(chosen)).toEqual({ p1: ['x, y', 'true'] })
  const cleared = toggleFacetValue(toggleFacetValue(chosen, 'custom_property:p1', 'x, y'), 'custom_property:p1', 'true')
  expect(cleared).toEqual({ q: 'a', properties: undefined })
  expect(getSelectedProperties({ properties: '{"a":1,' })).toEqual({})
  const address = { ...chosen, filter: '{"operator":"is_set","field":"title"}', spelling: 'off', sort: 'title', peek: 'x' } as const
  expect(parseViewQuery(toViewQuery(address))).toEqual({ ...address, peek: undefined })
})
