import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { runCli } from '../support/cli.ts'
import { createTestApp } from '../support/test-app.ts'

const KEY = 'a key that is long enough'

test('doctor names what is right and what is wrong; migrate applies what is missing', async () => {
  await using app = await createTestApp()
  const folder = await mkdtemp(join(tmpdir(), 'doctor-'))
  const env = { DATABASE_URL: app.url, TABLINUM_DATA: folder, TABLINUM_SECRET_KEY: KEY }
  const diagnose = async (more: Record<string, string> = {}) => {
    const { code, out, err } = await runCli(['doctor'], { env: { ...env, ...more } })
    return { code, err, lines: out.trimEnd().split('\n') }
  }
  try {
    const healthy = await diagnose()
    expect(healthy).toMatchObject({ code: 0, err: '' })
    expect(healthy.lines.map((line) => line.slice(0, line.indexOf(':')))).toEqual(
      ['versions', 'settings', 'grants', 'migrations', 'background migrations', 'connections', 'replicas', 'clock', 'disk', 'keys'].map(
        (check) => `ok       ${check}`,
      ),
    )
    expect((await runCli(['migrate'], { env })).out).toBe('The schema is up to date.\n')

    await sql`insert into migrations (name, checksum) values ('9999_future.sql', 'x')`.execute(app.ctx.db)
    const secrets = { secrets: Buffer.from('x'), secrets_key: 'another', secret_fields: ['password'] }
    await app.call('POST', '/integration/integrations', { body: { name: 'x', type: 'postgres' } })
    await app.ctx.db.updateTable('integrations').set(secrets).execute()
    await sql`
      insert into server_settings (id, service, config, secret, secret_key, created_at, updated_at)
      values (${newId()}, 'email', '{}', 'x', 'another', now(), now())`.execute(app.ctx.db)
    const ill = await diagnose({ TABLINUM_POOL: '200', TABLINUM_PROCESSES: '16', HOST: '0.0.0.0' })
    expect(ill.code).toBe(1)
    expect(ill.lines).toEqual(
      expect.arrayContaining([
        expect.stringContaining('warning  settings: /metrics is readable by everyone'),
        'failed   migrations: The database was migrated by a newer version (9999_future.sql). Start that version, or restore a backup.',
        expect.stringMatching(/^failed {3}connections: this process may open \d{4}, the server allows \d+\./),
        'failed   keys: 2 of 2 stored secrets were encrypted with another key. Restore the previous TABLINUM_SECRET_KEY or secret.key.',
      ]),
    )
    expect(await runCli(['migrate'], { env })).toMatchObject({ code: 1, err: expect.stringContaining('9999_future.sql') })
    expect(await diagnose({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('ECONNREFUSED'),
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})
