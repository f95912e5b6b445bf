import { expect, test } from 'vitest'
import { rankCorrections } from './spelling.ts'

const rank = (typed: string, ...words: string[]) =>
  rankCorrections(
    typed,
    words.map((word) => ({ word })),
  )

test.each([
  ['a missing letter', 'custmer', 'customer'],
  ['an additional letter', 'ordeer', 'order'],
  ['a wrong letter', 'invpice', 'invoice'],
  ['swapped letters', 'cutsomer', 'customer'],
  ['swapped first letters', 'roders', 'orders'],
  ['a wrong first letter', 'prder', 'order'],
  ['two mistakes in a long word', 'transactoin', 'transaction'],
  ['two mistakes in a long word', 'wherehouse', 'warehouse'],
])('finds %s: %s', (_, typed, meant) => {
  expect(rank(typed, 'table', meant, 'column')).toEqual([meant])
})

test('allows no mistake in up to 3 letters, one in 4 to 7, two in 8 and more', () => {
  expect(rank('abc', 'abd')).toEqual([])
  expect(rank('abcd', 'abxd', 'axxd')).toEqual(['abxd'])
  expect(rank('abcdefg', 'abxdefg', 'abxxefg')).toEqual(['abxdefg'])
  expect(rank('abcdefgh', 'abxdefgh', 'abxxefgh', 'abxxxfgh')).toEqual(['abxdefgh', 'abxxefgh'])
})

test('ranks by mistakes, then the same first letter, then length', () => {
  expect(rank('balence', 'salaries', 'valence', 'balance', 'balances')).toEqual(['balance', 'valence'])
  expect(rank('balancee', 'balancer', 'balances', 'balance')).toEqual(['balance', 'balancer', 'balances'])
})

test('a candidate without mistakes is not a correction', () => {
  expect(rank('order', 'order')).toEqual([])
})

test('letters beyond the basic plane count once', () => {
  expect(rank('ab𝒳d', 'abcd')).toEqual(['abcd'])
})
