import { setTimeout as sleep } from 'node:timers/promises'
import { callServer } from './call-server.ts'
import { CliError } from './command.ts'
import type { ServerOptions } from './server-options.ts'

/** Sends metadata events to a server and waits until the catalog is built from them. */

const POLL_MS = 1000
const PART_CHARACTERS = 4_000_000

export interface Job {
  readonly id: string
  readonly status: string
  readonly failed: boolean
  readonly logs: string
}

export const sendEvents = async (
  server: ServerOptions,
  path: string,
  events: readonly unknown[],
): Promise<{ aspects: number; jobs: readonly Job[] }> => {
  let aspects = 0
  let last: Job[] = []
  for (const part of splitEvents(events)) {
    const { received, jobs } = await callServer<{ received: number; jobs: Job[] }>(server, path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: part,
    })
    aspects += received
    last = [...last.filter(({ id }) => !jobs.some((job) => job.id === id)), ...jobs]
  }
  return { aspects, jobs: last }
}

/** Prints the logs when the jobs have ended. Returns whether they succeeded. */
export const printResults = async (server: ServerOptions, jobs: readonly Job[]): Promise<boolean> => {
  let succeeded = true
  for (const { id } of jobs) {
    const job = await waitFor(server, id)
    if (!job) {
      process.stdout.write('A sync that somebody else has started is running. It takes over what was sent, or the next one does.\n')
      continue
    }
    process.stdout.write(`${job.logs.trimEnd()}\n`)
    succeeded &&= !job.failed
  }
  return succeeded
}

/** Requests that the server accepts. One event that is larger by itself is sent alone. */
function* splitEvents(events: readonly unknown[]): Generator<string, void> {
  let part: string[] = []
  let length = 0
  for (const event of events) {
    const text = JSON.stringify(event)
    if (length + text.length > PART_CHARACTERS && part.length > 0) {
      yield `[${part.join(',')}]`
      part = []
      length = 0
    }
    part.push(text)
    length += text.length
  }
  yield `[${part.join(',')}]`
}

/** Undefined if it belongs to somebody else. */
const waitFor = async (server: ServerOptions, id: string): Promise<Job | undefined> => {
  for (;;) {
    const job = await callServer<Job>(server, `/background_jobs/${id}`).catch((error: unknown) => {
      if (error instanceof CliError && error.status === 404) return undefined
      throw error
    })
    if (!job || job.status === 'COMPLETED' || job.status === 'FAILED') return job
    await sleep(POLL_MS)
  }
}
