import type { Program } from '../../../connector/src/process.ts'
import { getIntegrationType } from '../credentials/types.ts'
import { isDriverName } from './driver-packages.ts'
import { Drivers } from './drivers.ts'

/** Without a server, only those that are installed with the code. */
const PREINSTALLED = new Drivers()

/** The program of this type of integration, with access to its driver. Throws if that is not installed. */
export const prepareProgram = (program: Program, type: string | undefined, drivers = PREINSTALLED): Program =>
  type !== undefined && isDriverName(type) ? drivers.prepare(program, type, getIntegrationType(type).label) : program
