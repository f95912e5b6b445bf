import { ARCHIVE_FIELD, textField } from './fields.ts'
import type { IntegrationType } from './integration-type.ts'

export const PUSH_TYPES: readonly IntegrationType[] = [
  { type: 'custom', label: 'Custom', icon: 'plug', category: 'push', pushes_only: true, fields: [] },
  { type: 'openlineage', label: 'OpenLineage', icon: 'workflow', category: 'push', pushes_only: true, fields: [] },
  { type: 'datahub', label: 'DataHub connectors', icon: 'workflow', category: 'push', pushes_only: false, fields: [ARCHIVE_FIELD] },
  {
    type: 'query_log',
    label: 'Query log',
    icon: 'workflow',
    category: 'push',
    pushes_only: false,
    fields: [
      textField('dialect', 'SQL dialect', { help: 'The dialect of the queries, e.g. snowflake or tsql. Default: postgres.' }),
      textField('warehouse', 'Warehouse', { help: 'ID of the integration whose tables the queries read. Default: any.' }),
      textField('database', 'Database', { help: 'Used for queries that do not name one.' }),
      textField('schema', 'Schema', { help: 'Used for queries that do not name one.' }),
      textField('log_integration', 'Integration of the log', { help: 'ID of the integration with the table that contains the queries.' }),
      textField('log_table', 'Table of the log', { help: 'A table or view with a row for each executed query, e.g. history.queries.' }),
      textField('sql_column', 'SQL column', { help: 'Default: by its name, as for the other columns.' }),
      textField('time_column', 'Time column', { help: 'When a query ended or started. Every sync reads the rows since the last one.' }),
      textField('user_column', 'User column'),
      textField('duration_column', 'Duration column', { help: 'In milliseconds.' }),
      textField('database_column', 'Database column'),
      textField('schema_column', 'Schema column'),
      ARCHIVE_FIELD,
    ],
  },
]
