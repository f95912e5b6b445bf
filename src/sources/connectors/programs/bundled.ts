import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { prepareProgram } from '../../drivers/prepare-program.ts'
import { type Connector, getTextCredential, type Source } from '../shared/connector.ts'
import { resolveSourcePath } from '../shared/files.ts'
import { toNodeProgram } from '../shared/program-connection.ts'
import { createProgramConnector, type SourceProgram } from './program-connector.ts'

/** A connector of our own that is written with the kit and runs as a program like any other. */
export const createBundledConnector = (file: URL, schema: SettingsSchema): Connector =>
  createProgramConnector((source) => toProgram(file, schema, source))

/** One that reads a folder: the program gets the checked path, if there is one, so that it opens nothing outside of TABLINUM_FILES. */
export const createFolderConnector = (file: URL, schema: SettingsSchema): Connector =>
  createProgramConnector(async (source) => {
    if (!getTextCredential(source, 'path')) return toProgram(file, schema, source)
    const path = await resolveSourcePath(source)
    return toProgram(file, schema, { ...source, credentials: { ...source.credentials, path } })
  })

const toProgram = (file: URL, { properties }: SettingsSchema, { credentials, type, drivers }: Source): SourceProgram => ({
  program: prepareProgram(toNodeProgram(file), type, drivers),
  settings: Object.fromEntries(Object.entries(credentials).filter(([name]) => Object.hasOwn(properties, name))),
  secrets: [], // the caller removes those of all connectors
})
