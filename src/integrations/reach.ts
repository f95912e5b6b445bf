import type { Context } from '../context.ts'
import { conflict, invalid, Refusal } from '../errors.ts'
import { CONNECTORS } from './connectors/all.ts'
import type { Connector, Source } from './connectors/connector.ts'
import { type Credentials, withoutSecrets } from './credentials.ts'
import { inWords } from './failure.ts'
import { identityOf, mayConnect } from './own-database.ts'
import type { IntegrationRow } from './store.ts'
import { typeOf } from './types.ts'
import { unsealOf } from './vault.ts'

/** The connector of an integration that can be connected: its type has a connector and its credentials are complete. */
export const mustConnect = ({ type, connection, secret_fields, removal_job }: IntegrationRow): Connector => {
  const { label, pushes_only, fields } = typeOf(type)
  if (removal_job) throw conflict('This integration is being deleted.')
  if (pushes_only) throw new Refusal('validation_failed', `${label} is a push integration: there is nothing to connect to.`)
  if (!mayConnect(connection))
    throw conflict('Only the demo can connect through a local socket. Set the credentials of this integration again.')
  const connector = CONNECTORS.get(type)
  if (!connector) throw new Refusal('validation_failed', `${label} is not supported yet.`)
  const set = [...Object.keys(connection ?? {}), ...(secret_fields ?? [])]
  const missing = fields.filter(({ name, required }) => required && !set.includes(name))
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map(({ name }) => [`credentials.${name}`, ['is required.']])))
  return connector
}

export const sourceOf = async (ctx: Context, row: IntegrationRow): Promise<Source> => ({
  id: row.id,
  name: row.name,
  credentials: { ...(row.connection as Credentials | null), ...(await unsealOf(ctx, row)) },
  filesFolder: ctx.runtime.filesFolder,
  allow: ctx.runtime.sourceAllow,
  ownDatabase: () => identityOf(ctx),
})

/** A message of the source without secrets, with connection errors explained. */
export const clean = ({ type }: IntegrationRow, { credentials }: Source, text: string): string =>
  inWords(withoutSecrets(text, typeOf(type), credentials))
