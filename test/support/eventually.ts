import { vi } from 'vitest'
import { PATIENCE_MS } from './patience.ts'

/** Retries until the assertion passes. */
export const eventually = <T>(check: () => T | Promise<T>, interval = 50): Promise<T> =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval })
