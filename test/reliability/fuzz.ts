// `npm run reliability -- fuzz --requests 1000000`: requests made from our own OpenAPI document. Never a 5xx, every response as documented,
// and rejected requests change nothing. Every round has its own database and seed. The short form is test/fuzz.test.ts.
import { mkdir } from 'node:fs/promises'
import { createTemplate } from '../database.ts'
import { Fuzzer } from '../fuzzer.ts'
import { createWebhookReceiver } from '../notification-servers.ts'
import { createTestApp } from '../test-app.ts'
import { listenForInterrupt } from './interrupt.ts'
import { startTemporaryPostgres } from './postgres.ts'
import { noteOf, printProgress, printReport, readNumbers } from './report.ts'

const interrupt = listenForInterrupt()
const { requests, runs, seed } = readNumbers({ requests: 1_000_000, runs: 40, seed: 1 })
const MAX_SHOWN = 20

const problems: string[] = []
const statuses = new Map<number, number>()
const succeeded = new Set<string>()
let [sent, rounds, operations] = [0, 0, 0]
const began = performance.now()
await using postgres = await startTemporaryPostgres('fuzz', { fsync: 'off', full_page_writes: 'off' })
await createTemplate(postgres.url)

while (sent < requests && !interrupt.aborted) {
  const filesFolder = postgres.file(`files${rounds}`)
  await mkdir(filesFolder)
  await using receiver = await createWebhookReceiver()
  await using app = await createTestApp({ serverUrl: postgres.url, webhookAllow: ['127.0.0.0/8'], filesFolder })
  const fuzzer = await Fuzzer.create(app, { seed: seed + rounds * 100_000, runs, filesFolder, url: receiver.url })
  operations = fuzzer.operations.length
  for (const operation of fuzzer.operations) {
    const before = sent + fuzzer.requests
    if (before >= requests || interrupt.aborted) break
    for (const problem of await fuzzer.drive(operation)) {
      problems.push(problem)
      if (problems.length <= MAX_SHOWN) console.log(`${problem} (seed ${seed}, round ${rounds + 1})`)
    }
    printProgress(before, sent + fuzzer.requests, requests)
  }
  sent += fuzzer.requests
  rounds += 1
  for (const [status, n] of fuzzer.statuses) statuses.set(status, (statuses.get(status) ?? 0) + n)
  for (const [operation, counts] of fuzzer.tally) if (Object.keys(counts).some((kind) => /^good 2/.test(kind))) succeeded.add(operation)
}

const countFrom = (from: number) =>
  [...statuses].filter(([status]) => status >= from && status < from + 100).reduce((sum, [, n]) => sum + n, 0)
printReport(`Fuzzing: ${rounds} rounds, ${Math.round((performance.now() - began) / 60_000)} minutes${noteOf(interrupt)}`, [
  {
    requests: sent,
    operations,
    'with a valid request that succeeded': succeeded.size,
    '2xx and 3xx': countFrom(200) + countFrom(300),
    '4xx': countFrom(400),
    '5xx': countFrom(500),
    'not as documented, or changed something': problems.length,
  },
])
process.exitCode = problems.length > 0 ? 1 : 0
