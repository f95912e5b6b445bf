/** As far as it is used here: the package has no declarations of its own. */
declare module 'oracledb' {
  interface Column {
    readonly name: string
    readonly dbTypeName: string
  }
  interface ResultSet {
    getRows(count: number): Promise<unknown[][]>
    close(): Promise<void>
  }
  interface Connection {
    execute(
      sql: string,
      binds: readonly unknown[],
      options: object,
    ): Promise<{ readonly metaData: readonly Column[]; readonly resultSet: ResultSet }>
    break(): Promise<void>
    close(options?: { readonly drop: boolean }): Promise<void>
  }
  const oracledb: {
    readonly OUT_FORMAT_ARRAY: number
    readonly STRING: number
    readonly DB_TYPE_NUMBER: unknown
    getConnection(options: object): Promise<Connection>
  }
  export default oracledb
}
