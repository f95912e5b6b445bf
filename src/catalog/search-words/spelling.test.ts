import { expect, test } from 'vitest'
import { rankCorrections } from './spelling.ts'

const rank = (typed: string, ...words: string[]) =>
  rankCorrections(
    typed,
    false,
    words.map((word) => ({ word })),
  )
const rankPrefix = (typed: string, ...words: string[]) =>
  rankCorrections(
    typed,
    true,
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

test('ranks by mistakes, then the same first letter, then frequency', () => {
  const candidates = [
    { word: 'salaries' },
    { word: 'balance', frequency: 9 },
    { word: 'valence', frequency: 50 },
    { word: 'balances', frequency: 90 },
    { word: 'balancer' },
  ]
  expect(rankCorrections('balence', false, candidates)).toEqual(['balance', 'valence'])
  expect(rankCorrections('balancee', false, candidates)).toEqual(['balances', 'balance', 'balancer'])
})

test('a word being typed is compared with the beginning of candidates', () => {
  expect(rankPrefix('custmo', 'customer', 'column')).toEqual(['customer'])
  expect(rankPrefix('trasnac', 'transactions', 'train')).toEqual(['transactions'])
  expect(rank('trasnac', 'transactions')).toEqual([])
})

test('a candidate without mistakes is not a correction', () => {
  expect(rank('order', 'order')).toEqual([])
  expect(rankPrefix('orde', 'order')).toEqual([])
})

test('letters beyond the basic plane count once', () => {
  expect(rank('ab𝒳d', 'abcd')).toEqual(['abcd'])
})
