import { spawnSync } from 'node:child_process'
import { startVitest } from 'vitest/node'

/** `npm test`: types, lint, format and unused code first, then every test. Arguments name the tests to run: `npm test -- filter`. */
const bin = (name: string) => `node_modules/.bin/${name}`
const only = process.argv.slice(2)

const checks: [string, string[]][] = [
  [bin('tsc'), []],
  [bin('tsc'), ['-p', 'web']],
  [bin('biome'), ['check', '--error-on-warnings', '.']],
  [bin('knip'), []],
]
let failedChecks = 0
if (only.length === 0)
  for (const [command, args] of checks) {
    const { status } = spawnSync(command, args, { stdio: 'inherit' })
    console.log(`${status === 0 ? '✓' : '✗'} ${[command.replace(bin(''), ''), ...args].join(' ')}`)
    if (status !== 0) failedChecks += 1
  }

const vitest = await startVitest('test', only, { watch: false, run: true })
const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()])
const passed = tests.filter((test) => test.result().state === 'passed').length + checks.length * (only.length === 0 ? 1 : 0) - failedChecks
const skipped = tests.filter((test) => test.result().state === 'skipped').length
const broken =
  vitest.state.getUnhandledErrors().length + vitest.state.getTestModules().filter((module) => module.errors().length > 0).length
const failed = tests.filter((test) => test.result().state === 'failed').length + failedChecks + broken
await vitest.close()
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exit(failed > 0 ? 1 : 0)
