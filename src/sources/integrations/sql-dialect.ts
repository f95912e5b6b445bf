import { SQL_DIALECTS } from '../../../connector/src/protocol.ts'
import { CONNECTORS } from '../connectors/registry/all.ts'

/** An integration: its type, and the dialect that its connector reported with the last sync. */
export interface Queryable {
  readonly integration_type: string | null
  readonly sql_dialect: string | null
}

/** The dialect of the queries of an integration; undefined if it runs none. */
export const findSqlDialect = ({ integration_type, sql_dialect }: Queryable): string | undefined => {
  const sql = CONNECTORS.get(integration_type ?? '')?.sql
  return sql && (sql.dialect ?? SQL_DIALECTS.find((each) => each === sql_dialect))
}
