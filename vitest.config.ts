import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What starts processes and browsers takes longest and waits most: begun last, it would leave the other workers with nothing to do. */
const LONG = /test\/(browser|faults)\/|test\/(visibility|routes|fuzz|transfer-export|demo)\.|src\/db\/embedded\./

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(({ moduleId }) => LONG.test(moduleId)), ...sorted.filter(({ moduleId }) => !LONG.test(moduleId))]
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['test/database.ts'],
    maxWorkers: 3, // on two cores: each waits for Postgres, or for a process it started, half of its time
    isolate: false, // the product is loaded once for each worker and not once for each file: a third of all the work
    sequence: { sequencer: LongestFirst },
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node') }, // for the many processes that tests start
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
