/** A connection that Tablinum configured itself: callers cannot set a socket folder as host. */
export const isInternalConnection = (connection: unknown): boolean =>
  String((connection as { host?: unknown } | null)?.host ?? '').startsWith('/')

/** Only the demo uses a local socket, with its own database and a role of the same name. */
export const isConnectionAllowed = (connection: unknown): boolean => !isInternalConnection(connection) || isDemoConnection(connection)

export const DEMO_INTEGRATION = '169896bd-3832-5cdd-a3b3-125de2ec4108'
export const DEMO_SUFFIX = '_demo'

/** Drops the demo's database after its integration was deleted. */
export const DROP_DEMO_JOB = 'drop_demo'
/** Jobs of the demo run one after the other: those that wait would occupy worker slots, and the connections that the first one needs. */
export const DEMO_QUEUE = 'demo'

/** The demo's database and the role that reads it have the same name. */
export const isDemoConnection = (connection: unknown): boolean => {
  const { database, user } = (connection ?? {}) as { database?: unknown; user?: unknown }
  return typeof user === 'string' && user === database && user.endsWith(DEMO_SUFFIX)
}
