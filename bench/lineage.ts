import { benchEndpoint } from './lineage-endpoint.ts'
import { benchEngine } from './lineage-engine.ts'

/** How soon SQL is understood: by the engine alone, and through the door with a full catalog behind it. */
export const benchLineage = async (): Promise<string> => `${await benchEngine()}\n${await benchEndpoint()}`

if (import.meta.main) console.log(await benchLineage())
