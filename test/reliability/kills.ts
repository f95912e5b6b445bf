// `npm run reliability kills -- --kills 100`: kill -9 of the server, of Postgres and of both, in turn, under writes. Everything that was
// acknowledged must be there afterwards, and nothing may be half done.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/platform/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/embedded.ts'
import { readPostmasterFile } from '../../src/platform/db/embedded/embedded-process.ts'
import { findInconsistencies } from '../faults/consistency.ts'
import { startTestServer, type TestServer } from '../faults/server.ts'
import { WriteLoad } from '../faults/write-load.ts'
import { listenForInterrupt } from './interrupt.ts'
import { waitUntilWritable } from './postgres.ts'
import { formatMs, noteOf, printProgress, printReport, quantile, readNumbers } from './report.ts'

const KINDS = ['server', 'postgres', 'both'] as const

const interrupt = listenForInterrupt()
const { kills, writers } = readNumbers({ kills: 60, writers: 4 })
const folder = await mkdtemp(join(tmpdir(), 'tablinum-kills-'))
await using postgres = await startEmbeddedPostgres({ dataFolder: folder, settings: { max_connections: '60' } })
const load = new WriteLoad()
const recovery = { server: [] as number[], postgres: [] as number[], both: [] as number[] }

const start = (): Promise<TestServer> => startTestServer({ DATABASE_URL: postgres.url })

const waitForWrites = async (): Promise<void> => {
  const before = load.acknowledged
  while (load.acknowledged < before + 20) await sleep(10)
  await sleep(Math.random() * 300) // at a different point of the work each time
}

let server = await start()
for (let i = 0; i < kills && !interrupt.aborted; i += 1) {
  const kind = KINDS[i % KINDS.length]!
  const writing = load.writeTo(server, writers).catch((error: Error) => {
    if (!/: 503$|: 503 /.test(error.message)) throw error // only while Postgres is away
  })
  const stopped = writing.then(() => {
    if (!interrupt.aborted) throw new Error('The writers stopped before the kill.')
  })
  await Promise.race([waitForWrites(), stopped])
  if (interrupt.aborted) break
  const killedAt = performance.now()
  if (kind !== 'server') process.kill((await readPostmasterFile(join(postgres.folder, 'data')))!.pid, 'SIGKILL')
  if (kind !== 'postgres') server.signal('SIGKILL')
  await writing
  if (kind !== 'postgres') {
    await server.ended
    server = await start().catch(start) // Postgres may be starting, too
  }
  await waitUntilWritable(server)
  recovery[kind].push(performance.now() - killedAt)
  printProgress(i, i + 1, kills)
}
await server[Symbol.asyncDispose]()
const { db, close } = connect(postgres.url, { poolSize: 2 })
const wrong = await findInconsistencies(db, load)
await close()
await postgres.stop()
await rm(folder, { recursive: true, force: true, maxRetries: 5 })
printReport(
  `Kills under writes: ${load.acknowledged} resources and ${load.bulks.filter(({ done }) => done).length} bulk edits acknowledged, ${wrong.length} lost or half done${noteOf(interrupt)}`,
  KINDS.map((kind) => {
    const sorted = recovery[kind].sort((a, b) => a - b)
    return {
      killed: kind,
      times: sorted.length,
      'writes again after, median': formatMs(quantile(sorted, 0.5)),
      longest: formatMs(sorted.at(-1) ?? 0),
    }
  }),
)
for (const each of wrong.slice(0, 20)) console.log(each)
process.exit(wrong.length > 0 ? 1 : 0)
