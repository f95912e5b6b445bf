import { sql } from 'kysely'
import { expect } from 'vitest'
import { runJob } from '../src/jobs/run.ts'
import { JOBS } from '../src/tasks.ts'
import type { House } from './house.ts'

/** Tables and columns by title, and jobs run as by a worker. */
export const called = async (house: House, title: string, entity_type = 'table') => {
  const { body } = await house.call('GET', `/resource/catalog?entity_type=${entity_type}&page_size=500`)
  const found = body.results.find((each: { title: string }) => each.title === title)
  if (!found) throw new Error(`no ${entity_type} ${title}`)
  return found
}

export const doJob = async (house: House, id: string) => {
  const { rows } = await sql<{ payload: { payload: object } }>`
    select payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${id}
  `.execute(house.db)
  await runJob(house.ctx, JOBS, id, rows[0]!.payload.payload, true).catch(() => {})
  return (await house.call('GET', `/background_jobs/${id}`)).body
}

export const profile = async (house: House, id: string, body: object = {}) => {
  const asked = await house.call('POST', `/resource/all/${id}/profile`, { body })
  expect([asked.status, asked.text]).toEqual([200, expect.any(String)])
  const job = await doJob(house, asked.body.id)
  const read = await house.call('GET', `/resource/all/${id}/profile`)
  expect(read.status).toBe(200)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  const columns: any = Object.fromEntries(read.body.columns.map((column: { name: string }) => [column.name, column]))
  return { job, columns }
}
