import type { Context } from '../../platform/context/context.ts'
import { ApiError, conflict, invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { CONNECTORS } from '../connectors/registry/all.ts'
import type { Connector, Source } from '../connectors/shared/connector.ts'
import { type Credentials, redactSecrets } from '../credentials/credentials.ts'
import { isConnectionAllowed } from '../credentials/demo-connection.ts'
import { getOwnDatabaseIdentity } from '../credentials/own-database.ts'
import { getIntegrationType } from '../credentials/types.ts'
import { explainConnectionError } from './connection-error.ts'
import type { IntegrationRow } from './integration-rows.ts'
import { findSqlDialect } from './sql-dialect.ts'
import { unsealCredentials } from './vault.ts'

/** The connector of an integration that can be connected: its type has a connector and its credentials are complete. */
export const requireConnector = ({ type, connection, secret_fields, removal_job }: IntegrationRow): Connector => {
  const { label, pushes_only, fields } = getIntegrationType(type)
  if (removal_job) throw conflict(translatable('This integration is being deleted.'))
  if (pushes_only)
    throw new ApiError('validation_failed', translatable('{label} is a push integration: there is nothing to connect to.', { label }))
  if (!isConnectionAllowed(connection))
    throw conflict('Only the demo can connect through a local socket. Set the credentials of this integration again.')
  const connector = CONNECTORS.get(type)
  if (!connector) throw new ApiError('validation_failed', translatable('{label} is not supported yet.', { label }))
  const set = [...Object.keys(connection ?? {}), ...(secret_fields ?? [])]
  const missing = fields.filter(({ name, required }) => required && !set.includes(name))
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map(({ name }) => [`credentials.${name}`, ['is required.']])))
  return connector
}

export const loadSource = async (ctx: Context, row: IntegrationRow): Promise<Source> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  dialect: findSqlDialect({ integration_type: row.type, sql_dialect: row.sql_dialect }),
  credentials: { ...(row.connection as Credentials | null), ...(await unsealCredentials(ctx, row)) },
  filesFolder: ctx.runtime.filesFolder,
  allow: ctx.runtime.sourceAllow,
  programs: ctx.runtime.connectorPrograms,
  fileThreads: ctx.runtime.fileThreads,
  drivers: ctx.runtime.drivers,
  ownDatabase: () => getOwnDatabaseIdentity(ctx),
})

/** A message of the source without secrets, with connection errors explained. */
export const toPublicError = ({ type }: IntegrationRow, { credentials }: Source, text: string): string =>
  explainConnectionError(redactSecrets(text, getIntegrationType(type), credentials))
