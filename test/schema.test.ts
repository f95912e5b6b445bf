import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSchema, SCHEMA_FILE } from '../scripts/schema.ts'
import { createTestApp } from './test-app.ts'

test('schema.sql is the migrated database; run `npm run schema` after a new migration', async () => {
  await using app = await createTestApp()
  expect(await readSchema(app.db)).toBe(readFileSync(SCHEMA_FILE, 'utf8'))
})
