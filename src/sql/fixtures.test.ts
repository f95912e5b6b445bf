import { describe, expect, test } from 'vitest'
import { dialectNames, findDialect } from './index.ts'
import { describeResult, normalize, readFixtures } from './testing/fixtures.ts'

const fixtures = readFixtures()

test('has at least five hundred fixtures, counting each once', () =>
  expect(new Set(fixtures.map(({ file, title, sql }) => `${file} ${title} ${sql}`)).size).toBeGreaterThanOrEqual(500))

test('has fixtures for every dialect', () => {
  const covered = new Set(fixtures.map(({ dialect }) => findDialect(dialect)?.name))
  expect(dialectNames.filter((name) => !covered.has(findDialect(name)?.name))).toEqual([])
})

for (const file of new Set(fixtures.map((fixture) => fixture.file)))
  describe(file, () => {
    for (const fixture of fixtures.filter((one) => one.file === file))
      test(`${fixture.title} (${fixture.dialect})`, () => {
        expect(normalize(describeResult(fixture), fixture.exact)).toEqual(normalize(fixture.expected, fixture.exact))
      })
  })
