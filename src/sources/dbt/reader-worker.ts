import { parentPort, workerData } from 'node:worker_threads'
import { ArtifactError } from './project.ts'
import { type CompressedFiles, readProjectSync } from './reader.ts'

const CHUNK_SIZE = 200

try {
  const { tables, uses, tests, results, readings, compiled, runs, ...head } = readProjectSync(workerData as CompressedFiles)
  parentPort!.postMessage({ head })
  for (const [name, list] of Object.entries({ tables, uses, tests, results, readings, compiled, runs }))
    for (let i = 0; i < list.length; i += CHUNK_SIZE) parentPort!.postMessage({ [name]: list.slice(i, i + CHUNK_SIZE) })
  parentPort!.postMessage({ end: true })
} catch (error) {
  if (!(error instanceof ArtifactError)) throw error
  parentPort!.postMessage({ error: { file: error.file, message: error.message.slice(error.file.length + 2) } })
}
