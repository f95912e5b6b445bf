import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder with these files; removed when it is disposed of. */
export const writeFolder = async (files: Readonly<Record<string, string>>) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lookml-')))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Views on tables, derived from SQL and from an explore, with a constant, a template, a refinement and an extended view. */
export const PROJECT: Readonly<Record<string, string>> = {
  'manifest.lkml': 'project_name: "bakery"\nconstant: data { value: "public" export: none }',
  'sales.model.lkml': `connection: "warehouse"
include: "/views/**/*.view"
# explore: left_out {}
explore: orders {
  description: "All orders"
  join: buyers { from: customers sql_on: \${orders.customer} = \${buyers.id} ;; relationship: many_to_one }
  join: facts { sql_on: \${orders.id} = \${facts.id} ;; }
}
explore: template { extension: required }
explore: old { from: orders hidden: yes }
explore: big_orders { view_name: big_orders }
`,
  'views/orders.view.lkml': `view: orders {
  sql_table_name: @{data}.orders ;;
  dimension: id { primary_key: yes type: number }
  dimension: price { type: number label: "Price" description: "With \\"tax\\"" sql: \${TABLE}."price" ;; }
  dimension: gross { type: number sql: \${price} * 1.19 ;; }
  dimension: customer { sql: \${TABLE}.customer ;; }
  dimension_group: created { type: time timeframes: [date, month] sql: \${TABLE}.created ;; }
  dimension: city { sql: \${customers.city} ;; }
  measure: count { type: count drill_fields: [id, created_date] }
  measure: revenue { type: sum sql: \${gross} ;; filters: [city: "Rome"] }
}`,
  'views/more/customers.view.lkml': `view: customers {
  sql_table_name: {{ _user_attributes['prefix'] }}customers ;;
  dimension: city { sql: \${TABLE}.city ;; }
}
view: +customers { dimension: city { description: "Where they live" } dimension: id {} }
view: big_orders {
  extends: [orders]
  dimension: size { type: string sql: case when \${price} > 9 then 'big' end ;; }
}`,
  'views/facts.view.lkml': `view: facts {
  derived_table: {
    sql: select id, customer, row_number() over (order by price) as rank from \${orders.SQL_TABLE_NAME}
      where {% condition region %} region {% endcondition %}
      {% if fast._parameter_value == 'yes' %} and id < 10 {% else %} and id > 0 {% endif %} -- all ;;
  }
  dimension: rank {}
  dimension: id {}
}
view: best {
  derived_table: { sql: select b.customer as who from \${facts.SQL_TABLE_NAME} as b where b.rank < 10 ;; }
  dimension: who { sql: \${TABLE}.who ;; }
}
view: summary {
  derived_table: { explore_source: orders { column: town { field: buyers.city } column: day { field: orders.created_date } } }
  dimension: town {}
  dimension: day { type: date }
}`,
}
