export interface SourceMarkColors {
  readonly color: string
  /** The color is bright: what is on it is dark. */
  readonly dark?: boolean
}

/** Marks of sources that the icon set has no icon of. */
export const LETTER_MARKS: Readonly<Record<string, SourceMarkColors & { readonly text: string }>> = {
  dagster: { text: 'Da', color: '#4f43dd' },
  datahub: { text: 'DH', color: '#1070d0' },
  dbt: { text: 'dbt', color: '#ff694b', dark: true },
  dbt_cloud: { text: 'dbt', color: '#ff694b', dark: true },
  dynamodb: { text: 'Dy', color: '#4053d6' },
  fivetran: { text: 'Fi', color: '#0073ff' },
  glue: { text: 'Gl', color: '#8c4fff' },
  iceberg: { text: 'Ic', color: '#2e6bb2' },
  lake_azure: { text: 'Az', color: '#0078d4' },
  lake_files: { text: 'Δ', color: '#00707f' },
  lake_s3: { text: 'S3', color: '#3f7d1f' },
  mode: { text: 'Mo', color: '#2f6f4f' },
  openlineage: { text: 'OL', color: '#3b4a9e' },
  oracle: { text: 'Or', color: '#c74634' },
  powerbi: { text: 'BI', color: '#f2c811', dark: true },
  query_log: { text: 'SQL', color: '#5b6472' },
  redshift: { text: 'Rs', color: '#205b97' },
  sqlserver: { text: 'MS', color: '#b5352c' },
  tableau: { text: 'Ta', color: '#e97627', dark: true },
  unity_catalog: { text: 'UC', color: '#ff3621' },
}
