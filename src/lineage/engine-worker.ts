import { parentPort } from 'node:worker_threads'
import { type Known, type Question, readNow } from './read-sql.ts'

/** A thread that reads one text after the other. */
parentPort!.on('message', ([question, known]: [Question, Known]) => parentPort!.postMessage(readNow(question, known)))
