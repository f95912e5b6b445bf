#!/usr/bin/env node
// `npx tablinum`: the command line on the Node that the product brings along, as `npm start` does with the server.
import { platformProblem, thisMachine } from './platform.mjs'

const problem = platformProblem(thisMachine())
if (problem) {
  console.error(problem)
  process.exit(1)
}
process.argv.splice(2, 0, 'src/cli.ts')
await import('./setup.mjs')
