import { expect } from 'vitest'
import { eventually } from '../support/eventually.ts'
import type { WriteLoad } from './write-load.ts'

/** Waits until there is something to lose, however slow the machine is. */
export const waitUntilBusy = async (load: WriteLoad): Promise<void> => {
  const before = load.acknowledged
  await eventually(() => expect(load.acknowledged).toBeGreaterThan(before + 20))
}
