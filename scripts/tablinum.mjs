#!/usr/bin/env node
// `npx tablinum`: runs the CLI on the bundled Node, as `npm start` does for the server.
import { platformProblem, thisMachine } from './platform.mjs'

const problem = platformProblem(thisMachine())
if (problem) {
  console.error(problem)
  process.exit(1)
}
process.argv.splice(2, 0, 'src/cli.ts')
await import('./setup.mjs')
