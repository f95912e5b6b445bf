import { benchEndpoint } from './lineage-endpoint.ts'
import { benchEngine } from './lineage-engine.ts'

/** Time to parse SQL: by the engine alone, and through the API with a full catalog. */
export const benchLineage = async (): Promise<string> => `${await benchEngine()}\n${await benchEndpoint()}`

if (import.meta.main) console.log(await benchLineage())
