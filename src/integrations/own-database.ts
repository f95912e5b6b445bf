/**
 * The demo's source is the database we live in, reached over its socket as a role that reads the shop alone. No other integration goes there:
 * the socket may let in whoever gives a name, the owner of the database as well.
 */
export const DEMO_ROLE = 'tablinum_demo'

/** A connection that Tablinum made by itself: nobody can give the folder of a socket for a host. */
export const isOwn = (connection: unknown): boolean => String((connection as { host?: unknown } | null)?.host ?? '').startsWith('/')

export const mayConnect = (connection: unknown): boolean =>
  !isOwn(connection) || (connection as { user?: unknown } | null)?.user === DEMO_ROLE
