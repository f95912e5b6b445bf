/** What the name of a single partition says about its table. Pure. */

/** A date or a number, as in `orders_2026_01`, `orders_p2026w05`, `orders_y2026m01` and `orders_7`, or the default partition. */
const PARTITION_SUFFIX = /^_?(?:p|part|y)?_?\d[\d_ymdhwqp]*$|^_(?:p_?)?default$/i
/** BigQuery: a table for each year, month or day. */
const SHARD = /^(.+_)(?:\d{4}|\d{6}|\d{8})$/

export interface PartitionedTable {
  readonly title: string
  /** The names of its partitions that the source reported: all of them, or the last ones. */
  readonly partitions: readonly string[]
}

/** The titles that the table of this partition could have, the longest first: everything before an underscore or a number. */
export const listParentTitles = (partition: string): string[] => {
  const ends: number[] = []
  for (let i = partition.length - 1; i > 0; i -= 1)
    if (partition[i] === '_' || (isDigit(partition[i]!) && !isDigit(partition[i - 1]!) && partition[i - 1] !== '_')) ends.push(i)
  return ends.map((end) => partition.slice(0, end))
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9'

/** Postgres: it is one of the reported partitions, a partition of one of them, or is named like one. */
export const isPartitionOf = (name: string, { title, partitions }: PartitionedTable): boolean => {
  const [child, parent] = [name.toLowerCase(), title.toLowerCase()]
  if (partitions.some((each) => child === each.toLowerCase() || child.startsWith(`${each.toLowerCase()}_`))) return true
  return child.startsWith(parent) && PARTITION_SUFFIX.test(child.slice(parent.length))
}

/** BigQuery: `orders$20260101` is a partition of `orders`. */
export const removeDecorator = (title: string): string | undefined => /^(.+)\$\w+$/.exec(title)?.[1]

/** BigQuery: `events_` of the tables `events_*` and `events_20260101`, which have a date each. */
export const findShardPrefix = (title: string): string | undefined => (title.endsWith('*') ? title.slice(0, -1) : SHARD.exec(title)?.[1])
