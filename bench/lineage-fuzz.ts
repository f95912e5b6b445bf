// A million broken statements: no exception, no hang, no memory growth. Run: node --expose-gc bench/lineage-fuzz.ts [count] [seed]
import { analyse } from '../src/sql/index.ts'
import { mutations } from '../src/sql/testing/mutate.ts'

const count = Number(process.argv[2] ?? 1_000_000)
const seed = Number(process.argv[3] ?? 1)
const next = mutations(seed)
const heap = (): number => {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / 1e6)
}

let incomplete = 0
let slowest = 0
let slowestSql = ''
let steps = 0
const started = process.cpuUsage()
console.log('| statements | incomplete | max. steps per character | slowest, ms | heap, MB |\n|---|---|---|---|---|')
let maxMs = 0
for (let n = 1; n <= count; n++) {
  const { sql, dialect } = next()
  const before = performance.now()
  const response = analyse(sql, { dialect })
  const took = performance.now() - before
  steps += response.steps
  maxMs = Math.max(maxMs, response.steps / (sql.length + 10))
  if (took > slowest) [slowest, slowestSql] = [took, `[${dialect}] ${sql}`]
  if (response.incomplete !== null && ++incomplete <= 5) console.error(`${response.incomplete}: [${dialect}] ${sql}`)
  if (n % Math.ceil(count / 10) === 0) console.log(`| ${n} | ${incomplete} | ${maxMs.toFixed(1)} | ${slowest.toFixed(1)} | ${heap()} |`)
}
const { user, system } = process.cpuUsage(started)
console.log(
  `\n${((user + system) / 1000 / count).toFixed(3)} ms CPU and ${Math.round(steps / count)} steps per statement. Slowest: ${slowestSql.slice(0, 300)}`,
)
process.exitCode = incomplete > 0 ? 1 : 0
