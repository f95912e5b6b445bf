// `npm run reliability -- backup --rounds 50`: backups while the server writes, restored, killed and damaged. A backup has everything that was
// acknowledged before it began and nothing half; what was killed or damaged leaves nothing, and the next attempt succeeds.

import { listenForInterrupt } from './interrupt.ts'
import { startTemporaryPostgres } from './postgres.ts'
import { noteOf, printReport, readNumbers } from './report.ts'
import { runBackups } from './run-backups.ts'

const interrupt = listenForInterrupt()
const { rounds, writers } = readNumbers({ rounds: 50, writers: 4 })
{
  await using postgres = await startTemporaryPostgres('backups')
  const { complete, rows, wrong } = await runBackups(postgres, rounds, writers, interrupt)
  printReport(`Backups under writes: ${complete} of ${rounds} rounds, ${wrong.length} wrong${noteOf(interrupt)}`, rows)
  for (const each of wrong.slice(0, 20)) console.log(each)
  process.exitCode = wrong.length > 0 ? 1 : 0
}
process.exit() // whatever an interrupted round still waits for
