import powerQuery, { type Language } from '@microsoft/powerquery-parser'

/** Where a query in M (Power Query) gets its data from. */
export interface MSource {
  readonly dialect?: string | undefined
  readonly database?: string | undefined
  /** From the database, if known, down to the table. Empty for a native query. */
  readonly path: readonly string[]
  readonly sql?: string | undefined
  /** Names of columns in the source by their new names. */
  readonly renamed: ReadonlyMap<string, string>
}

type Node = Language.Ast.TNode
const { NodeKind } = powerQuery.Language.Ast

/** What an expression evaluates to, as far as that is known without executing it. */
interface Value {
  readonly text?: string
  readonly fields?: ReadonlyMap<string, Value>
  readonly items?: readonly Value[]
  readonly sources: readonly Navigation[]
}

/** A source and the path that was followed in it. */
interface Navigation extends MSource {
  /** Whether it is a table or a query already, and not a database. */
  readonly isTable: boolean
}

/** Functions that connect to a database: its dialect, and which argument is the database. */
const FUNCTIONS: Readonly<Record<string, { readonly dialect?: string; readonly database?: number }>> = {
  'AmazonAthena.Databases': { dialect: 'athena' },
  'AmazonRedshift.Database': { dialect: 'redshift', database: 1 },
  'AzureDatabricks.Catalogs': { dialect: 'databricks' },
  'ClickHouse.Database': { dialect: 'clickhouse' },
  'Databricks.Catalogs': { dialect: 'databricks' },
  'DB2.Database': { database: 1 },
  'Fabric.Warehouse': { dialect: 'tsql' },
  'GoogleBigQuery.Database': { dialect: 'bigquery' },
  'MySQL.Database': { dialect: 'mysql' }, // its database is named again as the schema
  'Odbc.DataSource': {},
  'Oracle.Database': { dialect: 'oracle' },
  'PostgreSQL.Database': { dialect: 'postgres', database: 1 },
  'Snowflake.Databases': { dialect: 'snowflake' },
  'Sql.Database': { dialect: 'tsql', database: 1 },
  'Sql.Databases': { dialect: 'tsql' },
  'Teradata.Database': {},
  'Trino.Contents': { dialect: 'trino' },
  'Vertica.Database': { database: 1 },
}

/** ODBC drivers by a part of their names. */
const DRIVERS: readonly (readonly [RegExp, string])[] = [
  [/mysql|mariadb/i, 'mysql'],
  [/postgres/i, 'postgres'],
  [/redshift/i, 'redshift'],
  [/snowflake/i, 'snowflake'],
  [/databricks|spark/i, 'databricks'],
  [/bigquery/i, 'bigquery'],
  [/clickhouse/i, 'clickhouse'],
  [/sql server/i, 'tsql'],
  [/oracle/i, 'oracle'],
]

const NOTHING: Value = { sources: [] }
const MAX_DEPTH = 200

type Scope = ReadonlyMap<string, () => Value>

/** The queries of a data set by name: those of its tables, shared ones, and parameters. */
export class MExpressions {
  readonly #parsed: ReadonlyMap<string, Node | undefined>
  readonly #values = new Map<string, () => Value>()

  private constructor(parsed: ReadonlyMap<string, Node | undefined>) {
    this.#parsed = parsed
  }

  static async parse(expressions: ReadonlyMap<string, string>): Promise<MExpressions> {
    const parsed = new Map<string, Node | undefined>()
    for (const [name, text] of expressions) {
      const task = await powerQuery.TaskUtils.tryLexParse(powerQuery.DefaultSettings, text)
      parsed.set(name, powerQuery.TaskUtils.isParseStageOk(task) ? task.ast : undefined)
    }
    return new MExpressions(parsed)
  }

  /** The tables and native queries that a query reads, also through other queries. */
  findSources(name: string): MSource[] {
    const tables = this.#findShared(name, 0).sources.filter(({ isTable }) => isTable)
    return [...new Map(tables.map(({ isTable: _, ...source }) => [JSON.stringify([source.path, source.sql]), source])).values()]
  }

  #findShared(name: string, depth: number): Value {
    const node = this.#parsed.get(name)
    if (!node) return NOTHING
    const value = this.#values.get(name) ?? lazily(() => this.#evaluate(node, new Map(), depth + 1))
    this.#values.set(name, value)
    return value()
  }

  #evaluate(node: Node, scope: Scope, depth: number): Value {
    if (depth > MAX_DEPTH) return NOTHING
    const inner = (each: Node, within = scope) => this.#evaluate(each, within, depth + 1)
    switch (node.kind) {
      case NodeKind.LetExpression: {
        const variables = new Map(scope)
        for (const { node: pair } of node.variableList.elements)
          variables.set(
            toName(pair.key.literal),
            lazily(() => inner(pair.value, variables)),
          )
        return inner(node.expression, variables)
      }
      case NodeKind.IdentifierExpression:
        return this.#findName(toName(node.identifier.literal), scope, depth)
      case NodeKind.LiteralExpression:
        return node.literal.startsWith('"') ? { ...NOTHING, text: toText(node.literal) } : NOTHING
      case NodeKind.RecordExpression: {
        const fields = new Map(node.content.elements.map(({ node: pair }) => [toName(pair.key.literal), inner(pair.value)]))
        return { fields, sources: [] }
      }
      case NodeKind.ListExpression: {
        const items = node.content.elements.map((each) => inner(each.node))
        return { items, sources: items.flatMap(({ sources }) => sources) }
      }
      case NodeKind.RecursivePrimaryExpression:
        return this.#evaluateChain(node, scope, depth)
      case NodeKind.ParenthesizedExpression:
        return inner(node.content)
      case NodeKind.MetadataExpression: // `"value" meta […]`, as parameters are written
        return inner(node.left)
      case NodeKind.ArithmeticExpression: {
        const [left, right] = [inner(node.left), inner(node.right)]
        const isText = String(node.operatorConstant.constantKind) === '&' && left.text !== undefined && right.text !== undefined
        return isText ? { ...NOTHING, text: `${left.text}${right.text}` } : { sources: [...left.sources, ...right.sources] }
      }
      case NodeKind.IfExpression:
        return { sources: [node.trueExpression, node.falseExpression].flatMap((each) => inner(each).sources) }
      case NodeKind.ErrorHandlingExpression:
        return inner(node.protectedExpression)
      default:
        return NOTHING
    }
  }

  #findName(name: string, scope: Scope, depth: number): Value {
    return scope.get(name)?.() ?? this.#findShared(name, depth)
  }

  /** `Source{[Name="x"]}[Data]`, `Table.SelectRows(…)`. */
  #evaluateChain(node: Language.Ast.RecursivePrimaryExpression, scope: Scope, depth: number): Value {
    const { head } = node
    const name = head.kind === NodeKind.IdentifierExpression ? toName(head.identifier.literal) : undefined
    let value = this.#evaluate(head, scope, depth + 1)
    for (const [i, part] of node.recursiveExpressions.elements.entries()) {
      if (part.kind === NodeKind.InvokeExpression) {
        const args = part.content.elements.map((each) => this.#evaluate(each.node, scope, depth + 1))
        value =
          i === 0 && name !== undefined ? call(name, args, value) : { sources: [...value.sources, ...args.flatMap((each) => each.sources)] }
      } else if (part.kind === NodeKind.ItemAccessExpression) value = navigate(value, this.#evaluate(part.content, scope, depth + 1))
      else if (part.kind === NodeKind.FieldSelector) value = value.fields?.get(toName(part.content.literal)) ?? { sources: value.sources }
    }
    return value
  }
}

/** Evaluated when it is first used; undefined names and cycles are nothing. */
const lazily = (evaluate: () => Value): (() => Value) => {
  let value: Value | undefined
  let running = false
  return () => {
    if (value || running) return value ?? NOTHING
    running = true
    value = evaluate()
    return value
  }
}

const call = (name: string, args: readonly Value[], callee: Value): Value => {
  const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  if (known) return connect(name, known, args)
  if (name === 'Odbc.Query') {
    const [connection, sql] = args
    return { sources: connect(name, {}, [connection ?? NOTHING]).sources.flatMap((source) => toQuery(source, sql?.text)) }
  }
  if (name === 'Value.NativeQuery') return { sources: (args[0]?.sources ?? []).flatMap((source) => toQuery(source, args[1]?.text)) }
  const sources = [...callee.sources, ...args.flatMap((each) => each.sources)]
  if (name === 'Table.RenameColumns') return { sources: rename(args[0]?.sources ?? [], args[1]) }
  return { sources }
}

const connect = (name: string, { dialect, database }: { dialect?: string; database?: number }, args: readonly Value[]): Value => {
  const odbc = name.startsWith('Odbc.') ? (args[0]?.text ?? '') : ''
  const given = database === undefined ? /(?:^|;)\s*database=([^;]+)/i.exec(odbc)?.[1] : args[database]?.text
  const found = dialect ?? DRIVERS.find(([driver]) => driver.test(odbc))?.[1]
  const source: Navigation = {
    dialect: found,
    database: given ?? (found === 'mysql' ? args[1]?.text : undefined),
    path: database === undefined || given === undefined ? [] : [given],
    renamed: new Map(),
    isTable: false,
  }
  const query = args.findLast(({ fields }) => fields)?.fields?.get('Query')?.text
  return { sources: query === undefined ? [source] : toQuery(source, query) }
}

const toQuery = (source: Navigation, sql: string | undefined): Navigation[] =>
  sql === undefined ? [] : [{ ...source, database: source.database ?? source.path[0], path: [], sql, isTable: true }]

/** Follows `{[Schema="public", Item="orders"]}` or `{[Name="orders", Kind="Table"]}`. A database that is navigated by name has its tables last. */
const navigate = (value: Value, key: Value): Value => {
  if (!key.fields) return value.items ? { sources: value.sources } : value
  const names = ['Catalog', 'Schema', 'Item', 'Name'].flatMap((name) => key.fields!.get(name)?.text ?? [])
  if (names.length === 0) return value
  const kind = key.fields.get('Kind')?.text
  return {
    sources: value.sources.map((source) => ({
      ...source,
      path: [...source.path, ...names],
      isTable: kind === undefined ? true : ['Table', 'View'].includes(kind),
    })),
  }
}

/** `{{"old", "new"}, …}` or `{"old", "new"}`. */
const rename = (sources: readonly Navigation[], list: Value | undefined): Navigation[] => {
  const pairs = list?.items?.every(({ text }) => text !== undefined) ? [list] : (list?.items ?? [])
  return sources.map((source) => {
    const renamed = new Map(source.renamed)
    for (const { items = [] } of pairs) {
      const [from, to] = items.map(({ text }) => text)
      if (from === undefined || to === undefined) continue
      renamed.set(to, renamed.get(from) ?? from)
      renamed.delete(from)
    }
    return { ...source, renamed }
  })
}

/** `#"Added Custom"` and `Source`. */
const toName = (literal: string): string => (literal.startsWith('#"') ? toText(literal.slice(1)) : literal)
/** `"a ""b""#(lf)c"`. */
const toText = (literal: string): string => powerQuery.Language.TextUtils.unescape(literal.slice(1, -1))
