import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBackup } from '../../src/operations/backup/file.ts'
import { recordCommand } from '../../src/operations/backup/records.ts'
import { failAbandonedBackups, runScheduledBackup } from '../../src/operations/backup/run-scheduled.ts'
import { queueDueBackup, SCHEDULED_BACKUP_TASK } from '../../src/operations/backup/schedule.ts'
import { createEmailChannel } from '../../src/platform/channels/email.ts'
import { SYSTEM } from '../../src/platform/permissions/permissions.ts'
import { addTask } from '../../src/platform/queue/add-task.ts'
import { startTestServer } from '../faults/server.ts'
import { eventually } from '../support/eventually.ts'
import { createMailServer, createTestNotifier } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const PATH = '/server/backups/schedule'
const DAY_MS = 24 * 3_600_000

const createFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'tablinum-backups-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const throwError = (error: unknown) => {
  throw error
}

/** What the schedule does when it is due; each backup is a day later than the one before. */
const createRunner = (app: TestApp) => {
  let days = 0
  return async (options: Partial<Parameters<typeof runScheduledBackup>[2]> = {}) => {
    const ctx = { ...app.ctx, actor: SYSTEM, now: new Date(Date.now() + days++ * DAY_MS) }
    await app.db.updateTable('backup_schedule').set({ next_run_at: ctx.now }).execute()
    await queueDueBackup(ctx)
    const { id } = await app.db
      .selectFrom('backups')
      .select('id')
      .where('method', '=', 'schedule')
      .orderBy('started_at', 'desc')
      .executeTakeFirstOrThrow()
    await runScheduledBackup(ctx, { backup: id }, { onError: throwError, ...options })
    return id
  }
}

/** No folder can be created below a device. */
const breakFolder = (app: TestApp): void => {
  ;(app.ctx.runtime as { backupsFolder: string }).backupsFolder = '/dev/null/backups'
}
const mendFolder = (app: TestApp, path: string): void => {
  ;(app.ctx.runtime as { backupsFolder: string }).backupsFolder = path
}

const listAudit = async (app: TestApp): Promise<string[]> => {
  const rows = await app.db
    .selectFrom('activities')
    .select('activity_type')
    .where('activity_type', 'like', 'backup%')
    .orderBy('id')
    .execute()
  return rows.map(({ activity_type }) => activity_type)
}

test('an admin sets a schedule, and others cannot', async () => {
  await using folder = await createFolder()
  await using app = await createTestApp({ backupsFolder: folder.path })
  const editor = await app.createUser('editor')
  for (const [method, body] of [['GET'], ['PUT', { cadence: 'daily' }], ['DELETE']] as const)
    expect((await app.call(method, PATH, { token: editor.token, ...(body && { body }) })).status).toBe(403)
  expect((await app.call('GET', PATH)).body).toEqual({ schedule: null, keep: 7, next_run_at: null, folder: folder.path, last: null })
  for (const body of [
    {},
    { cadence: 'hourly' },
    { cadence: 'daily', hour: 24 },
    { cadence: 'daily', keep: 0 },
    { cadence: 'weekly', day: 7 },
    { cadence: 'daily', timezone: 'Nowhere/None' },
  ])
    expect([body, (await app.call('PUT', PATH, { body })).status]).toEqual([body, 400])
  const { status, body } = await app.call('PUT', PATH, { body: { cadence: 'weekly', hour: 4, day: 1, timezone: 'Europe/Berlin', keep: 3 } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ keep: 3, schedule: { cadence: 'weekly', hour: 4, day: 1, timezone: 'Europe/Berlin' }, last: null })
  const next = new Date(body.next_run_at)
  expect([next.getUTCDay(), next > new Date()]).toEqual([1, true])
  expect((await app.call('GET', PATH)).body).toEqual(body)
  await app.call('PUT', PATH, { body: { cadence: 'weekly', hour: 4, day: 1, timezone: 'Europe/Berlin', keep: 3 } }) // no change
  expect((await app.call('DELETE', PATH)).status).toBe(204)
  expect((await app.call('DELETE', PATH)).status).toBe(404)
  expect(await listAudit(app)).toEqual(['backup_schedule_updated', 'backup_schedule_updated'])
  await using without = await app.createInstance()
  expect((await without.call('PUT', PATH, { body: { cadence: 'daily' } })).status).toBe(409)
  expect((await without.call('GET', PATH)).body.folder).toBeNull()
})

test('a scheduled backup can be read, and the oldest beyond the limit are removed, but none made by hand', async () => {
  await using folder = await createFolder()
  await using app = await createTestApp({ backupsFolder: folder.path })
  await app.createResource({ title: 'orders' })
  await app.call('PUT', PATH, { body: { cadence: 'daily', keep: 2 } })
  await writeFile(join(folder.path, 'by-hand.backup'), 'a file of somebody')
  await recordCommand(app.url, { rows: 1, bytes: 1, started: new Date(0) })
  const run = createRunner(app)
  await run()
  const [file] = (await readdir(folder.path)).filter((name) => name !== 'by-hand.backup')
  expect(file).toMatch(/^tablinum-\d{4}-\d\d-\d\dT\d{4}-[0-9a-f]{8}\.backup$/)
  const header = await readBackup(join(folder.path, file!), { part: async (_, lines) => void (await Array.fromAsync(lines)) })
  expect(header.parts.find(({ name }) => name === 'resources')!.rows).toBe(1)
  const { body } = await app.call('GET', PATH)
  expect(body.last).toMatchObject({ method: 'schedule', status: 'completed', file, error: null, created_by_name: null })
  expect(body.last.row_count).toBe(header.parts.reduce((sum, part) => sum + part.rows, 0))

  await run()
  // A failed one removes nothing.
  await app.db.updateTable('backup_schedule').set({ keep: 1 }).execute()
  breakFolder(app)
  await run().finally(() => mendFolder(app, folder.path))
  expect((await app.call('GET', PATH)).body.last).toMatchObject({ status: 'failed', file: null, error: expect.stringContaining('folder') })
  expect(await readdir(folder.path)).toHaveLength(3)
  await app.db.updateTable('backup_schedule').set({ keep: 2 }).execute()
  await run()
  const files = await readdir(folder.path)
  expect(files).toHaveLength(3)
  expect(files).toContain('by-hand.backup')
  expect(files).not.toContain(file)
  const { results } = (await app.call('GET', '/server/backups')).body
  expect(results.map(({ method, status, removed_at }: Record<string, string>) => [method, status, removed_at !== null])).toEqual([
    ['schedule', 'completed', false],
    ['schedule', 'failed', false],
    ['schedule', 'completed', false],
    ['schedule', 'completed', true],
    ['command', 'completed', false],
  ])
  expect(await listAudit(app)).toEqual([
    'backup_schedule_updated',
    'backup_created',
    'backup_created',
    'backup_failed',
    'backup_created',
    'backup_removed',
  ])
})

test('admins are told of a failed backup, in their list and by e-mail, until one succeeds', async () => {
  await using folder = await createFolder()
  await using app = await createTestApp({ backupsFolder: folder.path })
  await using mail = await createMailServer()
  const editor = await app.createUser('editor')
  await app.call('PUT', PATH, { body: { cadence: 'daily' } })
  const run = createRunner(app)
  breakFolder(app)
  await run({ listChannels: async () => ['email'] })
  const needs = async (token?: string) =>
    (await app.call('GET', '/needs_you?kind=backups', { ...(token && { token }) })).body.sections as { items: { text: string }[] }[]
  expect(await needs()).toMatchObject([{ kind: 'backups', count: 1, items: [{ text: expect.stringContaining('/dev/null') }] }])
  expect(await needs(editor.token)).toEqual([])
  const notifier = createTestNotifier(
    app,
    [createEmailChannel({ url: mail.url, from: 'tablinum@example.com' })],
    'https://catalog.example.com',
  )
  await notifier.send()
  expect(mail.mails).toHaveLength(1)
  expect(mail.mails[0]!.subject).toContain('The scheduled backup failed')
  expect(mail.mails[0]!.raw).toContain('There is no complete backup yet.')
  mendFolder(app, folder.path)
  await run()
  expect(await needs()).toEqual([])
})

test('what a process that died has left does not prevent the backup, and one that never ends is reported', async () => {
  await using folder = await createFolder()
  await using app = await createTestApp({ backupsFolder: folder.path })
  await app.call('PUT', PATH, { body: { cadence: 'daily' } })
  const ctx = { ...app.ctx, actor: SYSTEM, now: new Date(Date.now() + DAY_MS) }
  await queueDueBackup(ctx)
  const { id } = await app.db.selectFrom('backups').select('id').executeTakeFirstOrThrow()
  const stopping = new AbortController()
  stopping.abort()
  await expect(runScheduledBackup(ctx, { backup: id }, { onError: throwError, stopping: stopping.signal })).rejects.toThrow()
  expect((await app.call('GET', PATH)).body.last.status).toBe('running')
  await writeFile(join(folder.path, `tablinum-${ctx.now.toISOString().slice(0, 16).replace(':', '')}-${id.slice(-8)}.backup.part`), 'half')
  await runScheduledBackup(ctx, { backup: id }, { onError: throwError })
  await runScheduledBackup(ctx, { backup: id }, { onError: throwError }) // finished: nothing is done
  expect((await app.call('GET', PATH)).body.last.status).toBe('completed')
  expect(await readdir(folder.path)).toHaveLength(1)

  const later = (days: number) => ({ ...ctx, now: new Date(ctx.now.getTime() + days * DAY_MS) })
  await queueDueBackup(later(2))
  await failAbandonedBackups(later(2.9), { onError: throwError })
  expect(await listAudit(app)).not.toContain('backup_failed')
  await failAbandonedBackups(later(3.1), { onError: throwError })
  expect((await app.call('GET', PATH)).body.last).toMatchObject({ status: 'failed', error: expect.stringContaining('within a day') })

  // Its half of a file is removed when another backup is complete.
  const { id: dead, started_at } = await app.db
    .selectFrom('backups')
    .select(['id', 'started_at'])
    .where('error', 'is not', null)
    .executeTakeFirstOrThrow()
  const half = `tablinum-${new Date(started_at).toISOString().slice(0, 16).replace(':', '')}-${dead.slice(-8)}.backup.part`
  await writeFile(join(folder.path, half), 'half')
  await queueDueBackup(later(4))
  const { id: next } = await app.db.selectFrom('backups').select('id').where('finished_at', 'is', null).executeTakeFirstOrThrow()
  await runScheduledBackup(later(4), { backup: next }, { onError: throwError })
  expect((await readdir(folder.path)).filter((name) => name.endsWith('.part'))).toEqual([])
  expect(await readdir(folder.path)).toHaveLength(2)
})

test('two servers make one backup', async () => {
  await using folder = await createFolder()
  await using app = await createTestApp({ backupsFolder: folder.path })
  await app.call('PUT', PATH, { body: { cadence: 'daily' } })
  await app.db
    .updateTable('backup_schedule')
    .set({ next_run_at: new Date(0) })
    .execute()
  // Both at once: only one of them queues it.
  await using other = await app.createInstance({ config: { backupsFolder: folder.path } })
  await Promise.all([app.ctx, other.ctx].map((ctx) => queueDueBackup({ ...ctx, actor: SYSTEM, now: new Date() })))
  expect(await app.db.selectFrom('backups').select('id').execute()).toHaveLength(1)
  const env = { DATABASE_URL: app.url, TABLINUM_BACKUPS: folder.path }
  await using _first = await startTestServer(env)
  await using _second = await startTestServer(env)
  await addTask(app.db, 'backups_due', {}) // not due again
  await eventually(async () => expect((await app.call('GET', PATH)).body.last.status).toBe('completed'))
  expect(await readdir(folder.path)).toHaveLength(1)
  const waiting = await app.db
    .selectFrom('graphile_worker.jobs' as never)
    .select('task_identifier' as never)
    .execute()
  expect(JSON.stringify(waiting)).not.toContain(SCHEDULED_BACKUP_TASK)
})
