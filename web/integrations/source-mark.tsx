import type { ReactNode } from 'react'
import airbyte from 'simple-icons/icons/airbyte.svg?raw'
import airflow from 'simple-icons/icons/apacheairflow.svg?raw'
import cassandra from 'simple-icons/icons/apachecassandra.svg?raw'
import hive from 'simple-icons/icons/apachehive.svg?raw'
import kafka from 'simple-icons/icons/apachekafka.svg?raw'
import superset from 'simple-icons/icons/apachesuperset.svg?raw'
import clickhouse from 'simple-icons/icons/clickhouse.svg?raw'
import databricks from 'simple-icons/icons/databricks.svg?raw'
import duckdb from 'simple-icons/icons/duckdb.svg?raw'
import elasticsearch from 'simple-icons/icons/elasticsearch.svg?raw'
import bigquery from 'simple-icons/icons/googlebigquery.svg?raw'
import gcs from 'simple-icons/icons/googlecloudstorage.svg?raw'
import grafana from 'simple-icons/icons/grafana.svg?raw'
import looker from 'simple-icons/icons/looker.svg?raw'
import metabase from 'simple-icons/icons/metabase.svg?raw'
import mongodb from 'simple-icons/icons/mongodb.svg?raw'
import mysql from 'simple-icons/icons/mysql.svg?raw'
import postgresql from 'simple-icons/icons/postgresql.svg?raw'
import prefect from 'simple-icons/icons/prefect.svg?raw'
import redash from 'simple-icons/icons/redash.svg?raw'
import snowflake from 'simple-icons/icons/snowflake.svg?raw'
import sqlite from 'simple-icons/icons/sqlite.svg?raw'
import trino from 'simple-icons/icons/trino.svg?raw'
import { LETTER_MARKS, type SourceMarkColors } from './letter-marks.ts'

/** The mark of a type of integration: its color, and an icon of one path if the icon set has one. */
const ICON_MARKS: Readonly<Record<string, SourceMarkColors & { readonly svg: string }>> = {
  airbyte: { svg: airbyte, color: '#615eff' },
  airflow: { svg: airflow, color: '#017cee' },
  bigquery: { svg: bigquery, color: '#4386f5' },
  cassandra: { svg: cassandra, color: '#1287b1' },
  clickhouse: { svg: clickhouse, color: '#ffcc01', dark: true },
  databricks: { svg: databricks, color: '#ff3621' },
  duckdb: { svg: duckdb, color: '#fff000', dark: true },
  elasticsearch: { svg: elasticsearch, color: '#005571' },
  grafana: { svg: grafana, color: '#f46800' },
  hive: { svg: hive, color: '#fdee21', dark: true },
  kafka: { svg: kafka, color: '#231f20' },
  lake_gcs: { svg: gcs, color: '#4386f5' },
  looker: { svg: looker, color: '#4285f4' },
  metabase: { svg: metabase, color: '#509ee3' },
  mongodb: { svg: mongodb, color: '#47a248' },
  mysql: { svg: mysql, color: '#4479a1' },
  postgres: { svg: postgresql, color: '#4169e1' },
  prefect: { svg: prefect, color: '#070e10' },
  redash: { svg: redash, color: '#ff7964' },
  snowflake: { svg: snowflake, color: '#29b5e8' },
  sqlite: { svg: sqlite, color: '#003b57' },
  superset: { svg: superset, color: '#20a6c9' },
  trino: { svg: trino, color: '#dd00a1' },
}

interface SourceMarkProps {
  readonly type: string
  readonly size: number
  /** Of a type without a mark. */
  readonly other: ReactNode
}

/** A tile in the color of the source with its icon or letters. Decorative: the name is always beside it. */
export const SourceMark = ({ type, size, other }: SourceMarkProps) => {
  const icon = ICON_MARKS[type]
  const letters = LETTER_MARKS[type]
  const mark = icon ?? letters
  if (!mark) return other
  const path = icon && /\sd="([^"]+)"/.exec(icon.svg)?.[1]
  return (
    <svg aria-hidden data-mark={type} width={size} height={size} viewBox="0 0 32 32" className="shrink-0 rounded-md ring-1 ring-line">
      <rect width="32" height="32" fill={mark.color} />
      {path ? (
        <path d={path} transform="translate(6.4 6.4) scale(.8)" fill={mark.dark ? '#111' : '#fff'} />
      ) : (
        <text
          x="16"
          y="16"
          dominantBaseline="central"
          textAnchor="middle"
          fontWeight="700"
          fontSize={(letters?.text.length ?? 1) > 2 ? 12 : 15}
          fill={mark.dark ? '#111' : '#fff'}
        >
          {letters?.text}
        </text>
      )}
    </svg>
  )
}
