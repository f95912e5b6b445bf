import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTasks, workerClasses } from '../../src/app/tasks.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createJob, getJob } from '../../src/platform/jobs/jobs.ts'
import type { JobHandler } from '../../src/platform/jobs/run.ts'
import type { Job } from '../../src/platform/jobs/schema.ts'
import { recoverTasks } from '../../src/platform/queue/heartbeat.ts'
import { startWorker } from '../../src/platform/queue/worker.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const SLOTS = { clock: 1, monitors: 1, syncs: 1, long: 2 }

/** Background jobs and their records. */
const startTestWorker = async (app: TestApp, works: Record<string, JobHandler>) => {
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const worker = await startWorker({
    database: app.database,
    classes: workerClasses(
      buildTasks(() => ({ ...app.ctx, now: new Date() }), new Map(Object.entries(works)), { onError }),
      SLOTS,
    ),
    clock: [],
    onError,
  })
  return { errors, [Symbol.asyncDispose]: () => worker.stop() }
}

const tasks = async (app: TestApp) => {
  const { rows } = await sql<{ attempts: number }>`select attempts from graphile_worker._private_jobs`.execute(app.db)
  return rows
}
const read = async (app: TestApp, id: string): Promise<Job> => (await app.call('GET', `/background_jobs/${id}`)).body
const until = (app: TestApp, id: string, status: Job['status']) => eventually(async () => expect((await read(app, id)).status).toBe(status))

test('a job and its task are created together or not at all', async () => {
  await using app = await createTestApp()
  const rolledBack = inTransaction(app.ctx, async (ctx) => {
    await createJob(ctx, { kind: 'count', title: 'never' })
    throw new Error('thought better of it')
  })
  await expect(rolledBack).rejects.toThrow('thought better')
  expect([(await app.call('GET', '/background_jobs')).body.count, await tasks(app)]).toEqual([0, []])

  const job = await createJob(app.ctx, { kind: 'count', title: 'Counting' })
  expect(await tasks(app)).toHaveLength(1)
  expect(await read(app, job.id)).toEqual({
    id: job.id,
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
    user: app.ctx.actor.user_id,
    title: 'Counting',
    status: 'PENDING',
    progress: 0,
    failed: false,
    started: expect.stringMatching(/Z$/),
    completed: null,
    logs: '',
    has_artifact: false,
  })
})

test('a job runs as the user who started it, with its payload, and reports progress', async () => {
  await using app = await createTestApp()
  const editor = await app.createUser('editor')
  const gate = Promise.withResolvers<void>()
  const seen: unknown[] = []
  await using _worker = await startTestWorker(app, {
    count: async ({ actor }, payload, report) => {
      seen.push(payload, actor.user_id, actor.role)
      await report(40, 'Forty done.')
      await gate.promise
      await report(250)
    },
  })
  const { id } = await createJob(editor.ctx, { kind: 'count', title: 'Counting', payload: { n: 3 } })
  await eventually(async () => expect(await read(app, id)).toMatchObject({ status: 'RUNNING', progress: 40, completed: null }))
  gate.resolve()
  await until(app, id, 'COMPLETED')
  const job = await read(app, id)
  expect(job).toMatchObject({ progress: 100, failed: false, completed: expect.stringMatching(/Z$/), user: editor.id })
  expect(job.logs).toMatch(/^\d{4}-\S+Z Forty done\.\n$/)
  expect(seen).toEqual([{ n: 3 }, editor.id, 'editor'])
  await eventually(async () => expect(await tasks(app)).toEqual([]))
})

test('a failing job is retried; after the last attempt it has failed, with the reason', async () => {
  await using app = await createTestApp()
  let tries = 0
  await using worker = await startTestWorker(app, {
    shaky: async () => {
      tries += 1
      if (tries < 2) throw new Error('the source is asleep')
    },
    broken: () => Promise.reject(new Error('no such table')),
  })
  const [shaky, broken, unknown] = await Promise.all(
    ['shaky', 'broken', 'unheard of'].map((kind) => createJob(app.ctx, { kind, title: kind })),
  )
  // The queue waits longer after every failure; the test skips the wait.
  const hurry = setInterval(() => void sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.db).catch(() => {}), 200)
  try {
    await until(app, shaky!.id, 'COMPLETED')
    await until(app, broken!.id, 'FAILED')
    await until(app, unknown!.id, 'FAILED')
  } finally {
    clearInterval(hurry)
  }
  expect(await read(app, shaky!.id)).toMatchObject({
    failed: false,
    progress: 100,
    logs: expect.stringContaining('the source is asleep'),
  })
  const job = await read(app, broken!.id)
  expect(job).toMatchObject({ failed: true, completed: expect.stringMatching(/Z$/) })
  expect(job.logs.match(/no such table/g)).toHaveLength(3)
  expect(worker.errors.length).toBeGreaterThanOrEqual(7)
})

test('a job of a user who has been disabled does not run', async () => {
  await using app = await createTestApp()
  const editor = await app.createUser('editor')
  const job = await createJob(editor.ctx, { kind: 'count', title: 'late' })
  await app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', editor.id).execute()
  const ran: string[] = []
  await using _worker = await startTestWorker(app, { count: async () => void ran.push('count') })
  await eventually(async () => expect((await read(app, job.id)).logs).toContain('no longer active'))
  expect(ran).toEqual([])
})

test('the stream sends every step in order and ends with the final record', async () => {
  await using app = await createTestApp()
  const gate = Promise.withResolvers<void>()
  await using _worker = await startTestWorker(app, {
    count: async (_, __, report) => {
      await gate.promise
      for (let i = 1; i <= 20; i += 1) await report(i * 4, `step ${i}`)
    },
  })
  const { id } = await createJob(app.ctx, { kind: 'count', title: 'Counting' })
  const address = await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  const headers = { authorization: `Bearer ${app.token}` }
  const response = await fetch(`${address}/api/v1/background_jobs/${id}/events`, { headers })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  setTimeout(gate.resolve, 100)
  const events = (await response.text()).split('\n\n').flatMap((event) => event.match(/^event: job\ndata: (.*)$/)?.slice(1) ?? [])
  const jobs = events.map((data) => JSON.parse(data) as Job)
  expect(jobs.length).toBeGreaterThan(2)
  const progress = jobs.map((job) => job.progress)
  expect(progress).toEqual([...progress].sort((a, b) => a - b))
  expect(jobs.at(-1)).toEqual(await read(app, id))
  expect(jobs.at(-1)).toMatchObject({ status: 'COMPLETED', progress: 100 })
  // Already finished: the record is sent at once, then the stream ends.
  expect(await (await fetch(`${address}/api/v1/background_jobs/${id}/events`, { headers })).text()).toContain('"COMPLETED"')
})

test('the stream ends when its token is revoked', async () => {
  await using app = await createTestApp()
  const { id } = await createJob(app.ctx, { kind: 'count', title: 'Waiting' })
  const address = await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  const admin = await app.createUser('admin')
  const response = await fetch(`${address}/api/v1/background_jobs/${id}/events`, { headers: { authorization: `Bearer ${admin.token}` } })
  expect(response.status).toBe(200)
  await sql`update tokens set revoked_at = now() where user_id = ${admin.id}`.execute(app.db)
  expect(await response.text()).toContain('"PENDING"') // to its end
})

test('tasks of a dead worker are returned to the queue; tasks of a live one stay', async () => {
  await using app = await createTestApp()
  const [dead, alive] = [
    await createJob(app.ctx, { kind: 'count', title: 'dead' }),
    await createJob(app.ctx, { kind: 'count', title: 'living' }),
  ]
  const lock = (worker: string, job: string) =>
    sql`
    update graphile_worker._private_jobs set locked_by = ${worker}, locked_at = now() - interval '2 minutes', attempts = 1
    where payload ->> 'job_id' = ${job}`.execute(app.db)
  await lock('dead', dead.id)
  await lock('living', alive.id)
  await sql`insert into worker_heartbeats values ('dead', now() - interval '90 seconds'), ('living', now())`.execute(app.db)
  expect(await recoverTasks(app.db)).toEqual(['dead'])
  await using _worker = await startTestWorker(app, { count: async () => {} })
  await until(app, dead.id, 'COMPLETED')
  expect((await read(app, alive.id)).status).toBe('PENDING')
})

test('admins see every job, editors their own, viewers none', async () => {
  await using app = await createTestApp()
  const [one, two, viewer] = [await app.createUser('editor'), await app.createUser('editor'), await app.createUser('viewer')]
  const ownJob = await createJob(one.ctx, { kind: 'count', title: 'mine' })
  const otherJob = await createJob(two.ctx, { kind: 'count', title: 'theirs' })
  const titles = async (token?: string) =>
    (await app.call('GET', '/background_jobs', { token })).body.results.map(({ title }: Job) => title).sort()
  expect(await titles()).toEqual(['mine', 'theirs'])
  expect(await titles(one.token)).toEqual(['mine'])
  for (const path of [otherJob.id, `${otherJob.id}/events`, newId(), 'x'])
    expect((await app.call('GET', `/background_jobs/${path}`, { token: one.token })).status).toBe(404)
  expect((await app.call('GET', `/background_jobs/${ownJob.id}`, { token: viewer.token })).status).toBe(403)
  await expect(getJob(two.ctx, ownJob.id)).rejects.toMatchObject({ code: 'not_found' })
  expect((await app.call('GET', '/background_jobs?status=COMPLETED')).body).toMatchObject({ count: 0, results: [] })
  expect((await app.call('GET', '/background_jobs?status=done')).status).toBe(400)
})
