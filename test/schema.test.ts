import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readSchema, SCHEMA_FILE } from '../scripts/schema.ts'
import { createTestApp } from './test-app.ts'

test('schema.sql is the migrated database (`npm run schema` writes it), and every trigger function has a trigger', async () => {
  await using app = await createTestApp()
  expect(await readSchema(app.db)).toBe(readFileSync(SCHEMA_FILE, 'utf8'))
  // A migration that replaces a function by an outdated name creates a second one, which nothing calls.
  const { rows } = await sql`
    select p.proname from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.prorettype = 'trigger'::regtype
      and not exists (select from pg_trigger t where t.tgfoid = p.oid) and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  `.execute(app.db)
  expect(rows).toEqual([])
})
