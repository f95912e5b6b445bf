// `npm run reliability -- faults --rounds 20`: faults around the server, one after the other, under writes. Writes may be answered with 503
// while a fault lasts and succeed again afterwards; what was acknowledged is there, and nothing is half done.
import { FAULTS } from './fault-kinds.ts'
import { runFault, startFaultPostgres } from './fault-site.ts'
import { listenForInterrupt } from './interrupt.ts'
import { formatMs, noteOf, printReport, quantile, type Row, readNumbers } from './report.ts'

const interrupt = listenForInterrupt()
const { rounds } = readNumbers({ rounds: 20 })
const rows: Row[] = []
const problems: string[] = []
for (const fault of FAULTS) {
  if (interrupt.aborted) break
  const missing = await fault.unavailable?.()
  if (missing) {
    console.log(`Skipped: ${fault.name}. ${missing}`)
    continue
  }
  await using postgres = await startFaultPostgres()
  const { acknowledged, rejected, wrong, recovery } = await runFault(postgres, fault, rounds, interrupt)
  console.log(`${fault.name}: ${recovery.length} times, ${wrong.length} problems`)
  problems.push(...wrong.map((each) => `${fault.name}: ${each}`))
  const sorted = recovery.toSorted((a, b) => a - b)
  rows.push({
    fault: fault.name,
    times: recovery.length,
    'resources acknowledged': acknowledged,
    'requests answered with 503': rejected,
    'other errors, lost or half done': wrong.length,
    'writes again after, median': formatMs(quantile(sorted, 0.5)),
    longest: formatMs(sorted.at(-1) ?? 0),
  })
}
printReport(`Faults under writes: ${problems.length} problems${noteOf(interrupt)}`, rows)
for (const each of problems.slice(0, 20)) console.log(each)
process.exitCode = problems.length > 0 ? 1 : 0
