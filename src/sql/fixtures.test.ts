import { describe, expect, test } from 'vitest'
import { normal, readFixtures, understand } from './testing/fixtures.ts'

const fixtures = readFixtures()

test('there are at least five hundred', () => expect(fixtures.length).toBeGreaterThanOrEqual(500))

for (const file of new Set(fixtures.map((fixture) => fixture.file)))
  describe(file, () => {
    for (const fixture of fixtures.filter((one) => one.file === file))
      test(`${fixture.title} (${fixture.dialect})`, () => {
        expect(normal(understand(fixture), fixture.exact)).toEqual(normal(fixture.expected, fixture.exact))
      })
  })
