// Writes schema.sql, the database after all migrations: `npm run schema`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../src/platform/db/connect.ts'
import { startEmbeddedPostgres } from '../src/platform/db/embedded/embedded.ts'
import { migrate, readMigrations, SCHEMA_FILE } from '../src/platform/db/migrate.ts'
import { readSchema } from './schema/read-schema.ts'

const folder = await mkdtemp(join(tmpdir(), 'tablinum-schema-'))
const server = await startEmbeddedPostgres({ dataFolder: folder })
const { db, close } = connect(server.url)
try {
  await migrate(db, await readMigrations())
  await writeFile(SCHEMA_FILE, await readSchema(db))
} finally {
  await close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
