#!/usr/bin/env node
// The command of the npm package. Plain JavaScript, so that an old Node can run it as far as the message.
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeProblem, platformProblem, thisMachine } from '../scripts/platform.mjs'

const FLUSH_MS = 5_000

const problem = platformProblem(thisMachine()) ?? nodeProblem(process.versions.node)
if (problem) {
  console.error(problem)
  process.exit(1)
}
process.env.NODE_COMPILE_CACHE ||= join(tmpdir(), 'node-compile-cache') // web processes that this one starts use it, too
module.enableCompileCache()
await import('../src/cli.js')
setTimeout(() => module.flushCompileCache(), FLUSH_MS).unref() // also for the next start after a server that is killed
