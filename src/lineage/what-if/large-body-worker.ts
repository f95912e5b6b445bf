import { parentPort, workerData } from 'node:worker_threads'
import { isObject } from '../../platform/core/json-value.ts'
import { assertDepth, decodeUtf8 } from '../../platform/http/body.ts'
import type { ParsedBody } from './large-body.ts'
import { pickManifestFields } from './manifest-fields.ts'

const parse = (body: Buffer): ParsedBody => {
  try {
    const text = decodeUtf8(body)
    assertDepth(text)
    const value: unknown = JSON.parse(text)
    return { value: isObject(value) && 'manifest' in value ? { ...value, manifest: pickManifestFields(value.manifest) } : value }
  } catch (error) {
    return { problem: `The body is not valid JSON: ${(error as Error).message}` }
  }
}

parentPort!.postMessage(parse(Buffer.from(workerData as Uint8Array)))
