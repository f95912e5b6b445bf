import type { Program } from '../../../connector/src/process.ts'
import { getIntegrationType } from '../credentials/types.ts'
import { isDriverName } from './driver-packages.ts'
import { Drivers } from './drivers.ts'

/** Without a server, only what is installed beside the code. */
const BESIDE = new Drivers()

/** The program of this type of integration, with access to its driver. Throws if that is not installed. */
export const prepareProgram = (program: Program, type: string | undefined, drivers = BESIDE): Program =>
  type !== undefined && isDriverName(type) ? drivers.prepare(program, type, getIntegrationType(type).label) : program
