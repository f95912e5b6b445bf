import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBackup } from '../../src/operations/backup/file.ts'
import { startTestServer } from '../faults/server.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp } from '../support/test-app.ts'

test('an admin downloads a backup that can be read, and sees it in the list', async () => {
  await using app = await createTestApp()
  await app.createResource({ title: 'orders' })
  await using server = await startTestServer({ DATABASE_URL: app.url })
  const download = (token: string, path = '/api/v1/server/backups/file') =>
    fetch(`${server.address}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const editor = await app.createUser('editor')
  expect((await download(editor.token)).status).toBe(403)
  expect((await app.call('GET', '/server/backups')).body).toEqual({ results: [] })
  const response = await download(app.token)
  expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
    200,
    'application/gzip',
    'no-store',
  ])
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="tablinum-\d{4}-\d\d-\d\d\.backup"$/)
  const bytes = Buffer.from(await response.arrayBuffer())
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-backup-'))
  const file = join(folder, 'a.backup')
  await writeFile(file, bytes)
  const rows = new Map<string, number>()
  const header = await readBackup(file, {
    part: async (part, lines) => {
      let text = ''
      for await (const line of lines) text += line
      rows.set(part.name, text.split('\n').filter(Boolean).length)
    },
  })
  await rm(folder, { recursive: true })
  expect(rows.get('resources')).toBe(1)
  for (const name of ['sessions', 'public_links', 'backups']) expect(rows.has(name)).toBe(false)
  await eventually(async () => {
    const { body } = await app.call('GET', '/server/backups')
    expect(body.results).toMatchObject([
      {
        method: 'download',
        status: 'completed',
        byte_size: bytes.length,
        row_count: header.parts.reduce((sum, part) => sum + part.rows, 0),
      },
    ])
  })
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'activity_type', value: 'backup_downloaded' }))
  expect((await app.call('GET', `/activity_log/audit_logs/?filter=${filter}`)).body).toMatchObject({
    count: 1,
    results: [{ performer_id: app.ctx.actor.user_id }],
  })
})
