// `npm run reliability -- notifications --notifications 10000 --kills 40`: instances that send are killed, and receivers fail in every way.
// Every message arrives, under one ID; a second time only if its sender was killed or its confirmation was lost.
import { createTemplate } from '../support/database.ts'
import { startTemporaryPostgres } from './postgres.ts'
import { printReport, readNumbers } from './report.ts'
import { runNotifications } from './run-notifications.ts'

const options = readNumbers({ notifications: 10_000, kills: 40, instances: 4 })
await using postgres = await startTemporaryPostgres('notifications')
await createTemplate(postgres.url)
const began = performance.now()
const { rows, wrong } = await runNotifications(options, postgres.url)
printReport(
  `Notifications: ${options.instances} instances, ${options.kills} kills, ${Math.round((performance.now() - began) / 1000)} seconds, ${wrong.length} wrong`,
  rows,
)
for (const each of wrong.slice(0, 20)) console.log(each)
process.exitCode = wrong.length > 0 ? 1 : 0
