import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { FILE_URL, findEntries } from './scripts/bundle.ts'
import { findCombinedCode } from './test/support/combined-code.ts'
import { PATIENCE_MS } from './test/support/patience.ts'

/** The files that take longest, in this order. Begun last, one of them would leave the other workers with nothing to do. */
const LONGEST = [
  'browser/axe',
  'permissions/visibility',
  'fuzz/fuzz',
  'shipping/shipping',
  'faults/failover',
  'shipping/releases',
  'api/routes',
  'project/docs',
  'faults/environment',
]
/** What starts processes and browsers waits most. */
const LONG = /test\/(browser|faults)\/|test\/(operations\/(transfer-export|demo)|search\/search-quality)\.|src\/platform\/db\/embedded\//

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const longest = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`))
      return longest >= 0 ? longest : LONGEST.length + (LONG.test(moduleId) ? 0 : 1)
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

/** Threads and processes that the code starts in a test run the combined code, as in the package: most are started for one query. */
const startCombined = (): Plugin => {
  const entries = findEntries()
  return {
    name: 'combined-processes',
    enforce: 'pre',
    // Not in the text of the modules: Vitest caches them, and would start old code after an edit.
    configResolved: async () => {
      process.env.COMBINED_CODE = `${pathToFileURL(await findCombinedCode())}/`
    },
    transform: {
      filter: { id: /\/src\/.+\.ts$/, code: 'import.meta.url' },
      handler: (code, id) =>
        code.replaceAll(FILE_URL, (text, path: string) => {
          const entry = entries.get(resolve(dirname(id), path))
          return entry ? `new URL('${entry}', process.env.COMBINED_CODE)` : text
        }),
    },
  }
}

export default defineConfig({
  plugins: [startCombined()],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['test/support/database.ts'],
    setupFiles: ['test/support/end-with-parent.ts'],
    maxWorkers: 5, // on two cores: each waits for Postgres, or for a process it started, more than half of its time
    isolate: false, // the product is loaded once for each worker and not once for each file: a third of all the work
    sequence: { sequencer: LongestFirst },
    // Only a test that hangs waits this long: a shared machine can be twenty times slower than an idle one.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
})
