import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSchema, SCHEMA_FILE } from '../scripts/schema.ts'
import { aHouse } from './house.ts'

test('schema.sql is the migrated database; run `npm run schema` after a new migration', async () => {
  await using house = await aHouse()
  expect(await readSchema(house.db)).toBe(readFileSync(SCHEMA_FILE, 'utf8'))
})
