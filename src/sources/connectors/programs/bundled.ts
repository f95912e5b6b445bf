import { fileURLToPath } from 'node:url'
import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import type { Connector } from '../shared/connector.ts'
import { createProgramConnector } from './program-connector.ts'

const MAX_HEAP_MB = 512

/** A connector of our own that is written with the kit and runs as a program like any other. */
export const createBundledConnector = (file: URL, { properties }: SettingsSchema): Connector =>
  createProgramConnector(({ credentials }) => ({
    program: { command: [process.execPath, `--max-old-space-size=${MAX_HEAP_MB}`, fileURLToPath(file)] },
    settings: Object.fromEntries(Object.entries(credentials).filter(([name]) => Object.hasOwn(properties, name))),
    secrets: [], // the caller removes those of all connectors
  }))
