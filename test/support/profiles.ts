import { sql } from 'kysely'
import { expect } from 'vitest'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import type { TestApp } from './test-app.ts'

/** A table or column by its title. */
export const findByTitle = async (app: TestApp, title: string, entity_type = 'table') => {
  const { body } = await app.call('GET', `/resource/catalog?entity_type=${entity_type}&page_size=500`)
  const found = body.results.find((each: { title: string }) => each.title === title)
  if (!found) throw new Error(`no ${entity_type} ${title}`)
  return found
}

/** Runs a queued job as a worker would. Returns its record. */
export const runTestJob = async (app: TestApp, id: string) => {
  const { rows } = await sql<{ payload: { payload: object } }>`
    select payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${id}
  `.execute(app.db)
  await runJob(app.ctx, JOB_HANDLERS, id, rows[0]!.payload.payload, true).catch(() => {})
  return (await app.call('GET', `/background_jobs/${id}`)).body
}

export const profile = async (app: TestApp, id: string, body: object = {}) => {
  const response = await app.call('POST', `/resource/all/${id}/profile`, { body })
  expect([response.status, response.text]).toEqual([200, expect.any(String)])
  const job = await runTestJob(app, response.body.id)
  const read = await app.call('GET', `/resource/all/${id}/profile`)
  expect(read.status).toBe(200)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  const columns: any = Object.fromEntries(read.body.columns.map((column: { name: string }) => [column.name, column]))
  return { job, columns }
}
