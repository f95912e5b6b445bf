import type { Runtime } from '../context/runtime.ts'

/** What an app answers requests from. It is read again for each request, so that tests can use one app with many databases, one after the other. */
export interface AppBackend {
  readonly runtime: Runtime
  readonly workspace_id: string
  readonly now: () => Date
}
