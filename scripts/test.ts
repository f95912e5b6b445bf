import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { startVitest } from 'vitest/node'

/** `npm test`: types, lint, formatting and unused code, and in parallel all tests. Arguments select tests: `npm test -- filter`. */
const bin = (name: string) => `node_modules/.bin/${name}`
const only = process.argv.slice(2)

// By default four checkers each compute the types that they share. Beside the tests no core is idle: that took twice the CPU time.
const ONE_CHECKER = ['--checkers', '1']
const CHECK_ENV = { ...process.env, GOGC: 'off' } // tsc without garbage collection: a third less CPU time, and no more memory than four checkers

const checks: [string, string[]][] = [
  [bin('tsc'), ONE_CHECKER],
  [bin('tsc'), ['-p', 'web', ...ONE_CHECKER]],
  [bin('biome'), ['check', '--error-on-warnings', '.']],
  [bin('knip'), []],
]

/** The checks run one after the other while the tests wait for I/O. */
const runChecks = async (): Promise<number> => {
  let failed = 0
  for (const [command, args] of checks) {
    const child = spawn(command, args, { env: CHECK_ENV, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.on('error', () => resolve(null)).on('close', resolve))
    const output = await Promise.all([text(child.stdout), text(child.stderr)])
    const passed = (await ended) === 0
    console.log(
      `${output.join('')}${passed ? '✓' : '✗'} ${[command.replace(bin(''), ''), ...args.filter((arg) => !ONE_CHECKER.includes(arg))].join(' ')}`,
    )
    if (!passed) failed += 1
  }
  return failed
}
const checking = only.length === 0 ? runChecks() : Promise.resolve(0)

const vitest = await startVitest('test', only, { watch: false, run: true })
const failedChecks = await checking
const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()])
const passed = tests.filter((test) => test.result().state === 'passed').length + checks.length * (only.length === 0 ? 1 : 0) - failedChecks
const skipped = tests.filter((test) => test.result().state === 'skipped').length
const broken =
  vitest.state.getUnhandledErrors().length + vitest.state.getTestModules().filter((module) => module.errors().length > 0).length
const failed = tests.filter((test) => test.result().state === 'failed').length + failedChecks + broken
await vitest.close()
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed > 0 ? 1 : 0)
