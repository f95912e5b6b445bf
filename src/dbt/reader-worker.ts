import { parentPort, workerData } from 'node:worker_threads'
import { ArtifactError } from './project.ts'
import { type Packed, readNow } from './reader.ts'

const AT_ONCE = 200

try {
  const { tables, uses, tests, results, readings, compiled, ...head } = readNow(workerData as Packed)
  parentPort!.postMessage({ head })
  for (const [name, list] of Object.entries({ tables, uses, tests, results, readings, compiled }))
    for (let i = 0; i < list.length; i += AT_ONCE) parentPort!.postMessage({ [name]: list.slice(i, i + AT_ONCE) })
  parentPort!.postMessage({ end: true })
} catch (error) {
  if (!(error instanceof ArtifactError)) throw error
  parentPort!.postMessage({ error: { file: error.file, message: error.message.slice(error.file.length + 2) } })
}
