import { parentPort } from 'node:worker_threads'
import { type Known, type Question, readNow } from './read-sql.ts'

/** A worker thread that parses one SQL text after the other. */
parentPort!.on('message', ([question, known]: [Question, Known]) => parentPort!.postMessage(readNow(question, known)))
