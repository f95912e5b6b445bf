import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { PATIENCE_MS } from './test/patience.ts'

/** What starts processes and browsers takes longest and waits most: begun last, it would leave the other workers with nothing to do. */
const LONG =
  /test\/(browser|faults)\/|test\/(visibility|routes|fuzz|transfer-export|demo|search-quality|docs|shipping)\.|src\/platform\/db\/embedded\//

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => (LONG.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: ['test/database.ts'],
    maxWorkers: 4, // on two cores: each waits for Postgres, or for a process it started, half of its time
    isolate: false, // the product is loaded once for each worker and not once for each file: a third of all the work
    sequence: { sequencer: LongestFirst },
    // Only a test that hangs waits this long: a shared machine can be twenty times slower than an idle one.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
})
