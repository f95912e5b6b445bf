// `npm run reliability -- fuzz --requests 1000000`: requests made from our own OpenAPI document. Never a 5xx, every response as documented,
// and rejected requests change nothing. Every round has its own database and seed. With `--state FILE`, a run that was interrupted is continued
// with its next round. The short form is test/fuzz/fuzz.test.ts.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createFuzzApp } from '../fuzz/fuzz-app.ts'
import { type FuzzRecord, newFuzzRecord } from '../fuzz/fuzz-record.ts'
import { Fuzzer } from '../fuzz/fuzzer.ts'
import { createTemplate } from '../support/database.ts'
import { createWebhookReceiver } from '../support/notification-servers.ts'
import { listOperations, listSlowest, summarize } from './fuzz-report.ts'
import { listenForInterrupt } from './interrupt.ts'
import { startTemporaryPostgres } from './postgres.ts'
import { noteOf, printReport, readOptions } from './report.ts'

const interrupt = listenForInterrupt()
const {
  numbers: { requests, runs, seed, 'in-flight': inFlight },
  texts: { state: stateFile },
} = readOptions({ requests: 1_000_000, runs: 40, seed: 1, 'in-flight': 4 }, ['state'])
const MAX_SHOWN = 20
const PROGRESS_REQUESTS = 10_000

interface State {
  readonly seed: number
  /** Begun. */
  rounds: number
  minutes: number
  problems: number
  readonly record: FuzzRecord
}
const state: State =
  stateFile && existsSync(stateFile)
    ? JSON.parse(await readFile(stateFile, 'utf8'))
    : { seed, rounds: 0, minutes: 0, problems: 0, record: newFuzzRecord() }
const { record } = state
const before = { minutes: state.minutes, requests: record.requests }
const began = performance.now()

const saveState = async () => {
  state.minutes = before.minutes + (performance.now() - began) / 60_000
  if (!stateFile) return
  await writeFile(`${stateFile}.new`, JSON.stringify(state))
  await rename(`${stateFile}.new`, stateFile)
}

const printProgress = () => {
  const perSecond = (record.requests - before.requests) / ((performance.now() - began) / 1_000)
  const failed = Object.entries(record.statuses).reduce((sum, [status, n]) => sum + (Number(status) >= 500 ? n : 0), 0)
  console.error(
    `${new Date().toISOString().slice(11, 19)}Z ${record.requests.toLocaleString('en')} of ${requests.toLocaleString('en')}, round ${state.rounds}: ${failed} 5xx, ${state.problems} findings, ${perSecond.toFixed(0)} a second`,
  )
}

const addProblem = (problem: string) => {
  state.problems += 1
  if (state.problems <= MAX_SHOWN) console.log(`${problem} (seed ${state.seed}, round ${state.rounds})`)
}

let operations = 0
{
  await using postgres = await startTemporaryPostgres('fuzz', { fsync: 'off', full_page_writes: 'off' })
  await createTemplate(postgres.url)

  while (record.requests < requests && !interrupt.aborted) {
    const roundSeed = state.seed + state.rounds * 100_000
    state.rounds += 1
    const filesFolder = postgres.file(`files${state.rounds}`)
    await mkdir(filesFolder)
    await using receiver = await createWebhookReceiver()
    await using app = await createFuzzApp(filesFolder, { serverUrl: postgres.url })
    const fuzzer = await Fuzzer.create(app, { seed: roundSeed, runs, filesFolder, url: receiver.url, inFlight, record })
    operations = fuzzer.operations.length
    for (const operation of fuzzer.operations) {
      const sent = record.requests
      if (sent >= requests || interrupt.aborted) break
      for (const problem of await fuzzer.drive(operation)) addProblem(problem)
      if (Math.floor(sent / PROGRESS_REQUESTS) === Math.floor(record.requests / PROGRESS_REQUESTS)) continue
      printProgress()
      await saveState()
    }
  }

  await saveState()
  const title = `Fuzzing: ${state.rounds} rounds, ${Math.round(state.minutes)} minutes, ${inFlight} requests in flight`
  printReport(`${title}${noteOf(interrupt)}`, [summarize(record, operations, state.problems)])
  const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`
  console.log(`\nOf this, generating requests: ${seconds(record.generatingMs)}, checking responses: ${seconds(record.checkingMs)}.`)
  printReport('Slowest operations', listSlowest(record))
  printReport('Valid requests that succeeded', listOperations(record))
}
process.exit(state.problems > 0 ? 1 : 0) // not waiting for connections to a server that has gone
