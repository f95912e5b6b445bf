import { parentPort } from 'node:worker_threads'
import { type ColumnsByTable, type ParseRequest, parseSync } from './parse-sql.ts'

/** A worker thread that parses one SQL text after the other. */
parentPort!.on('message', ([request, knownColumns]: [ParseRequest, ColumnsByTable]) =>
  parentPort!.postMessage(parseSync(request, knownColumns)),
)
