// `npm run reliability -- backup --rounds 50`: backups while the server writes, restored, killed and damaged. A backup has everything that was
// acknowledged before it began and nothing half; what was killed or damaged leaves nothing, and the next attempt succeeds.

import { startTemporaryPostgres } from './postgres.ts'
import { printReport, readNumbers } from './report.ts'
import { runBackups } from './run-backups.ts'

const { rounds, writers } = readNumbers({ rounds: 50, writers: 4 })
await using postgres = await startTemporaryPostgres('backups')
const { rows, wrong } = await runBackups(postgres, rounds, writers)
printReport(`Backups under writes: ${rounds} rounds, ${wrong.length} wrong`, rows)
for (const each of wrong.slice(0, 20)) console.log(each)
process.exitCode = wrong.length > 0 ? 1 : 0
