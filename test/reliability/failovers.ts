// `npm run reliability -- failovers --failovers 20`: kill -9 of the primary of a Patroni cluster under writes. Everything that was
// acknowledged must be there afterwards.
import { skipWithoutPatroni, startPatroniCluster } from '../servers/patroni.ts'
import { listenForInterrupt } from './interrupt.ts'
import { formatMs, noteOf, printReport, quantile, readNumbers } from './report.ts'
import { runFailovers } from './run-failovers.ts'

const interrupt = listenForInterrupt()
const { failovers } = readNumbers({ failovers: 20 })
if (skipWithoutPatroni) process.exit(1)
const cluster = await startPatroniCluster()
const { acknowledged, wrong, outages } = await runFailovers(cluster, failovers, interrupt)
await cluster.stop()
const sorted = outages.toSorted((a, b) => a - b)
printReport(`Failovers (Patroni, etcd, HAProxy, synchronous standby), under writes${noteOf(interrupt)}`, [
  {
    failovers: outages.length,
    'resources acknowledged': acknowledged,
    'lost or half done': wrong.length,
    'writes again after, median': formatMs(quantile(sorted, 0.5)),
    longest: formatMs(sorted.at(-1) ?? 0),
  },
])
for (const each of wrong.slice(0, 20)) console.log(each)
process.exit(wrong.length > 0 ? 1 : 0)
