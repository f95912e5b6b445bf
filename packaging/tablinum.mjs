#!/usr/bin/env node
// The command of the npm package. Plain JavaScript, so that an old Node can run it as far as the message.
import module from 'node:module'
import { nodeProblem, platformProblem, thisMachine } from '../scripts/platform.mjs'

const problem = platformProblem(thisMachine()) ?? nodeProblem(process.versions.node)
if (problem) {
  console.error(problem)
  process.exit(1)
}
module.enableCompileCache() // halves the start time
await import('../src/cli.js')
