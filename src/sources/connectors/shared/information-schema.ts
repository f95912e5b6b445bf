/** What the information schemas of different sources have in common. */

/** A column as every information schema lists it. */
export interface InformationSchemaColumn {
  readonly schema: string
  readonly table: string
  readonly name: string
  readonly position: number
  readonly type: string
  readonly nullable: string
  readonly default_value: string | null
  readonly comment: string | null
}

/** A text in standard SQL, where a backslash has no meaning. */
export const quoteLiteral = (value: string): string => `'${value.replaceAll("'", "''")}'`
