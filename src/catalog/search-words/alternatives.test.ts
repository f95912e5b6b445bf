import { expect, test } from 'vitest'
import { ABBREVIATIONS } from './abbreviations.ts'
import { findAlternatives, findPhraseAlternatives } from './alternatives.ts'
import { SYNONYMS } from './synonyms.ts'

const kindOf = (typed: string, word: string) => findAlternatives(typed).find((each) => each.word === word)?.kind
const weightOf = (typed: string, word: string) => findAlternatives(typed).find((each) => each.word === word)?.weight ?? 0

test.each([
  ['cust', 'customer'],
  ['qty', 'quantity'],
  ['amt', 'amount'],
  ['inv', 'invoice'],
  ['inv', 'inventory'],
  ['nbr', 'number'],
  ['trx', 'transaction'],
  ['ccy', 'currency'],
  ['stg', 'staging'],
  ['kd', 'kunde'],
  ['cant', 'cantidad'],
])('%s and %s are abbreviation and full form, in both directions', (short, full) => {
  expect(kindOf(short, full)).toBe('abbreviation')
  expect(kindOf(full, short)).toBe('abbreviation')
})

test.each([
  ['client', 'customer'],
  ['turnover', 'revenue'],
  ['staff', 'employee'],
  ['bill', 'invoice'],
  ['vendor', 'supplier'],
  ['attrition', 'churn'],
  ['signup', 'registration'],
  ['telephone', 'phone'],
])('%s and %s are synonyms, in both directions', (one, other) => {
  expect(kindOf(one, other)).toBe('synonym')
  expect(kindOf(other, one)).toBe('synonym')
})

test.each([
  ['kunde', 'customer'],
  ['cliente', 'customer'],
  ['bestellung', 'order'],
  ['pedido', 'order'],
  ['commande', 'order'],
  ['rechnung', 'invoice'],
  ['facture', 'invoice'],
  ['kunde', 'cliente'],
])('%s and %s are translations, in both directions', (one, other) => {
  expect(kindOf(one, other)).toBe('translation')
  expect(kindOf(other, one)).toBe('translation')
})

test('an abbreviation has the synonyms of its full form, and a synonym its abbreviations', () => {
  expect(kindOf('cust', 'client')).toBe('synonym')
  expect(kindOf('kunde', 'cust')).toBe('translation')
  expect(weightOf('client', 'cust')).toBeLessThan(weightOf('client', 'customer'))
})

test('words that only share an abbreviation are not alternatives', () => {
  expect(kindOf('invoice', 'inv')).toBe('abbreviation')
  expect(weightOf('invoice', 'inventory')).toBe(0)
  expect(weightOf('account', 'access')).toBe(0)
})

test('the best alternative comes first, and an ambiguous abbreviation weighs less', () => {
  const weights = findAlternatives('order').map(({ weight }) => weight)
  expect(weights).toEqual(weights.toSorted((a, b) => b - a))
  expect(weights[0]).toBeLessThan(1)
  expect(weightOf('inv', 'invoice')).toBeLessThan(weightOf('qty', 'quantity'))
  expect(weightOf('invoice', 'statement')).toBeLessThan(weightOf('invoice', 'bill'))
})

test('an alternative can have several words, and so can what was typed', () => {
  expect(kindOf('fx', 'exchange rate')).toBe('abbreviation')
  expect(kindOf('bom', 'bill materials')).toBe('abbreviation')
  const [daily, exchange, rates] = findPhraseAlternatives(['daily', 'exchange', 'rates'])
  expect(daily).toEqual([])
  expect(exchange).toEqual(rates)
  expect(rates!.find(({ word }) => word === 'fx')).toMatchObject({ kind: 'abbreviation' })
})

test('a word that is only close to the idea is related', () => {
  expect(kindOf('invoice', 'statement')).toBe('related')
  expect(kindOf('kunde', 'buyer')).toBe('related')
  expect(weightOf('shopper', 'buyer')).toBe(0)
})

test('plurals are found', () => {
  expect(kindOf('companies', 'firm')).toBe('synonym')
  expect(kindOf('addresses', 'addr')).toBe('abbreviation')
  expect(kindOf('facturas', 'invoice')).toBe('translation')
})

test('umlauts are found without dots and spelled out', () => {
  expect(kindOf('wahrung', 'currency')).toBe('translation')
  expect(kindOf('waehrung', 'currency')).toBe('translation')
  expect(kindOf('strasse', 'street')).toBe('translation')
})

test('unknown words and the typed word itself are not alternatives', () => {
  expect(findAlternatives('xyzzy')).toEqual([])
  expect(findAlternatives('')).toEqual([])
  expect(findAlternatives('constructor')).toEqual([])
  expect(weightOf('customers', 'customer')).toBe(0)
})

const repeats = (texts: readonly string[]): string[] => texts.filter((text, i) => texts.indexOf(text) < i)

test('abbreviations are listed once, in four languages', () => {
  expect(ABBREVIATIONS.split('\n\n')).toHaveLength(4)
  const lines = ABBREVIATIONS.trim().split(/\n+/)
  expect(lines.filter((line) => !/^[a-z0-9 ]+: ~?[a-z0-9]+( ~?[a-z0-9]+)*$/.test(line))).toEqual([])
  const pairs = lines.flatMap((line) => {
    const [full, short] = line.split(': ')
    return short!.split(' ').map((each) => `${full}: ${each.replace('~', '')}`)
  })
  expect(repeats(pairs)).toEqual([])
})

test('synonyms are listed once, in one or four languages', () => {
  const lines = SYNONYMS.trim().split(/\n+/)
  expect(lines.filter((line) => ![1, 4].includes(line.split(' | ').length))).toEqual([])
  expect(lines.flatMap((line) => line.split(' | ').flatMap((column) => repeats(column.replaceAll('~', '').split(', '))))).toEqual([])
  expect(repeats(lines)).toEqual([])
})
