import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { benchCacheMemory } from './cache-memory.ts'
import { benchColumnCounts } from './column-counts.ts'
import { benchConnectors } from './connectors.ts'
import { benchDataHubMemory } from './datahub-memory.ts'
import { benchExport } from './export.ts'
import { benchGraph } from './graph.ts'
import { benchHealth } from './health.ts'
import { benchImport } from './import.ts'
import { benchImportUndo } from './import-undo.ts'
import { benchInsights } from './insights.ts'
import { benchInstances } from './instances.ts'
import { benchKafkaMemory } from './kafka-memory.ts'
import { benchLineage } from './lineage.ts'
import { benchLineageWeb } from './lineage-web.ts'
import { benchList } from './list.ts'
import { benchLoad } from './load.ts'
import { benchMcp } from './mcp.ts'
import { benchMonitorDelay } from './monitor-delay.ts'
import { benchMonitors } from './monitors.ts'
import { benchNeedsYou } from './needs-you.ts'
import { benchOpenLineage } from './openlineage.ts'
import { benchProperties } from './properties.ts'
import { benchSearch } from './search.ts'
import { benchSearchQuality } from './search-quality.ts'
import { benchSourcePrograms } from './source-programs.ts'
import { benchStart } from './start.ts'
import { benchStewardPages } from './steward-pages.ts'
import { benchSync } from './sync.ts'
import { benchSyncMemory } from './sync-memory.ts'
import { benchTreeRename } from './tree-rename.ts'
import { benchVersions } from './versions.ts'
import { benchWeb } from './web.ts'
import { benchWrite } from './write.ts'

/** `npm run bench`: runs every benchmark and writes docs/benchmarks.md. */
const BENCHES = [
  benchStart,
  benchLoad,
  benchList,
  benchCacheMemory,
  benchSearch,
  benchInstances,
  benchSearchQuality,
  benchMcp,
  benchWrite,
  benchVersions,
  benchTreeRename,
  benchProperties,
  benchExport,
  benchImport,
  benchImportUndo,
  benchLineage,
  benchGraph,
  benchHealth,
  benchColumnCounts,
  benchInsights,
  benchNeedsYou,
  benchStewardPages,
  benchSync,
  benchSyncMemory,
  benchKafkaMemory,
  benchDataHubMemory,
  benchConnectors,
  benchSourcePrograms,
  benchOpenLineage,
  benchMonitors,
  benchMonitorDelay,
  benchWeb,
  benchLineageWeb,
]
const tables: string[] = []
for (const bench of BENCHES) {
  const text = await bench()
  console.log(text)
  tables.push(text)
}

const FILE = 'docs/benchmarks.md'
const MARK = '<!-- made by npm run bench -->'
const page = await readFile(FILE, 'utf8')
const machine = `${cpus().length} cores (${process.arch}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}.`
await writeFile(
  FILE,
  `${page.split(MARK)[0]}${MARK}\n\n${machine} Postgres, the server and the client share the cores.\n\n${tables.join('\n')}`,
)
