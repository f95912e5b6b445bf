import { CASSANDRA_SETTINGS } from '../connectors/cassandra/cassandra-settings.ts'
import { DYNAMODB_SETTINGS } from '../connectors/dynamodb/dynamodb-settings.ts'
import { ELASTICSEARCH_SETTINGS } from '../connectors/elasticsearch/elasticsearch-settings.ts'
import { KAFKA_SETTINGS } from '../connectors/kafka/kafka-settings.ts'
import { MONGODB_SETTINGS } from '../connectors/mongodb/mongodb-settings.ts'
import {
  CA,
  DATABASE,
  DESTINATION,
  HISTORY_FIELD,
  HOST,
  PASSWORD,
  port,
  QUERY_FIELDS,
  REQUIRED,
  ROW_LIMIT,
  SYNC_FIELDS,
  serverFields,
  ssl,
  textField,
  USER,
} from './fields.ts'
import { type IntegrationType, storeType } from './integration-type.ts'

export const DATABASE_TYPES: readonly IntegrationType[] = [
  {
    type: 'postgres',
    label: 'PostgreSQL',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [...serverFields(5432), CA, ...QUERY_FIELDS, HISTORY_FIELD],
  },
  {
    type: 'mysql',
    label: 'MySQL, MariaDB',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [
      HOST,
      port(3306),
      { ...DATABASE, help: 'Leave blank for all databases the user can see.' },
      USER,
      PASSWORD,
      ssl(false),
      CA,
      ...QUERY_FIELDS,
      {
        ...HISTORY_FIELD,
        help: 'Import the 500 most frequent queries from performance_schema. Requires SELECT on events_statements_summary_by_digest.',
      },
    ],
  },
  {
    type: 'sqlite',
    label: 'SQLite',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [textField('path', 'Path', { ...REQUIRED, ...DESTINATION, help: 'Path inside the folder TABLINUM_FILES.' }), ...QUERY_FIELDS],
  },
  {
    type: 'duckdb',
    label: 'DuckDB',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [
      textField('path', 'Path', {
        ...REQUIRED,
        ...DESTINATION,
        help: 'Path inside the folder TABLINUM_FILES: a database file, or a folder of Parquet, CSV and JSON files.',
      }),
      ...QUERY_FIELDS,
    ],
  },
  {
    type: 'sqlserver',
    label: 'SQL Server',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [
      HOST,
      port(1433),
      { ...DATABASE, help: 'Leave blank for all databases the user can see.' },
      USER,
      PASSWORD,
      ssl(true),
      CA,
      ROW_LIMIT,
      ...SYNC_FIELDS,
    ],
  },
  {
    type: 'oracle',
    label: 'Oracle',
    icon: 'database',
    category: 'database',
    pushes_only: false,
    fields: [
      HOST,
      port(1521),
      textField('service', 'Service', { ...REQUIRED, help: 'The name of the service, e.g. ORCLPDB1.' }),
      USER,
      PASSWORD,
      ssl(false),
      CA,
      ...SYNC_FIELDS,
    ],
  },
  storeType('kafka', 'Kafka', 'database', KAFKA_SETTINGS),
  storeType('mongodb', 'MongoDB', 'database', MONGODB_SETTINGS),
  storeType('elasticsearch', 'Elasticsearch, OpenSearch', 'database', ELASTICSEARCH_SETTINGS),
  storeType('dynamodb', 'Amazon DynamoDB', 'database', DYNAMODB_SETTINGS),
  storeType('cassandra', 'Apache Cassandra', 'database', CASSANDRA_SETTINGS),
]
