#!/usr/bin/env node
// `npx tablinum`: the command line on the Node that the product brings along, as `npm start` does with the server.
process.argv.splice(2, 0, 'src/cli.ts')
await import('./setup.mjs')
