import { readFileSync } from 'node:fs'

/** Workers end with the test run, however that ends, and so do the processes that their tests have started. */

const ENDING = Symbol.for('tablinum.test.ends-with-parent')

const endWithChildren = () => {
  try {
    for (const pid of readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean))
      process.kill(Number(pid), 'SIGTERM')
  } catch {} // not Linux, or it has ended meanwhile
  process.exit(1)
}

const globals = globalThis as { [ENDING]?: true }
if (!globals[ENDING]) {
  globals[ENDING] = true // a worker runs many files
  process.once('disconnect', endWithChildren)
}
