import { expect, test } from 'vitest'
import { buildScopes } from '../../../src/sources/connectors/looker/lookml-model-scope.ts'
import { expandConstants, toPlainSql } from '../../../src/sources/connectors/looker/lookml-plain-text.ts'
import { type LookmlBlock, parseLookml } from '../../../src/sources/connectors/looker/parse-lookml.ts'

const toObject = ({ key, name, values, blocks }: LookmlBlock): object => ({
  [`${key} ${name}`.trim()]: [...[...values].map(([each, found]) => `${each}=${found.join('|')}`), ...blocks.map(toObject)],
})

test('blocks, texts in quotes, lists, SQL and comments', () => {
  const file = `# comment { "
include: "a.view" include: "b.view"
view: orders{
  label: "My \\"orders\\" # 1"   # not part of it
  sql_table_name:"shop"."orders";;
  dimension: id { primary_key:yes sql: \${TABLE}.id ; # "not closed { ;; }
  dimension_group: at { timeframes: [raw, "date",] }
  measure: paid
  {
    filters: [status: "paid", -orders.id, ALL_FIELDS*, sets: [a, b]]
    html: <a href="x">}</a> ;;
    empty: []
  }
  derived_table: { sql_trigger_value: select 1 ;; explore_source: x { column: y {} } }
}`
  expect(toObject(parseLookml(file))).toEqual({
    '': [
      'include=a.view|b.view',
      {
        'view orders': [
          'label=My "orders" # 1',
          'sql_table_name="shop"."orders"',
          { 'dimension id': ['primary_key=yes', `sql=\${TABLE}.id ; # "not closed {`] },
          { 'dimension_group at': ['timeframes=raw|date'] },
          { 'measure paid': ['filters=status: paid|-orders.id|ALL_FIELDS*|sets: a, b', 'html=<a href="x">}</a>', 'empty='] },
          { derived_table: ['sql_trigger_value=select 1', { 'explore_source x': [{ 'column y': [] }] }] },
        ],
      },
    ],
  })
})

test.each([
  ['view: a {\n  dimension: b {', 'The block dimension b is not closed.', 2],
  ['view: a {}\n}', 'Unexpected }.', 2],
  ['view a {}', 'Expected : after view.', 1],
  ['view: a {\n\n  sql: select 1 }', 'Expected ;; after sql.', 3],
  ['label: "a\nb', 'The text in quotes is not closed.', 1],
  ['x: [a,\nb', 'The list is not closed.', 1],
  ['x: [a,\n}]', 'Expected a value of the list, but found }.', 2],
  ['view: a {}\n"b"', 'Expected a parameter, but found ".', 2],
  ['label:', 'Expected a value of label, but found the end of the file.', 1],
  [`view: ${'a'.repeat(201)} {}`, 'The name of view has more than 200 characters.', 1],
  ['a: {'.repeat(1000), 'More than 30 blocks inside each other.', 1],
  [`a: ${'['.repeat(1000)}`, 'More than 30 lists inside each other.', 1],
])('%s is rejected with its line', (text, message, line) => {
  expect(() => parseLookml(text)).toThrow(expect.objectContaining({ message, line }))
})

test('constants and templates have their defaults', () => {
  const constants = new Map([['schema', 'public']])
  expect(expandConstants('@{schema}.a, @{ schema }.b, @{other}.c', constants)).toBe('public.a, public.b, @{other}.c')
  const plain = (text: string) => toPlainSql(text).text.replace(/\s+/g, ' ').trim()
  expect(plain(`{{ _user_attributes['db'] }}.public.{{ x }}orders`)).toBe('.public.orders')
  expect(plain(`{{ _user_attributes['db'] | default: 'shop' }}.orders`)).toBe('shop.orders')
  expect(plain('{% if a %} x {% elsif b %} y {% else %} z {% endif %}')).toBe('z')
  expect(plain('{%- if a -%} x {% elsif b %} y {% endif %} {% unless a %} u {% else %} v {% endunless %}')).toBe('x u')
  expect(plain('{% case a %} lost {% when 1 %} x {% when 2 %} y {% endcase %}')).toBe('x')
  expect(plain('where {% condition f %} a.b {% endcondition %} and {% if c %}{% if d %}1{% else %}2{% endif %}{% endif %} = 2')).toBe(
    'where 1=1 and 2 = 2',
  )
  expect(plain('date_trunc({% parameter unit %}, {% comment %} no {% endcomment %} at)')).toBe('date_trunc(null, at)')
  expect(plain('{% assign a = 1 %}{% for x in y %}a{% endfor %} {% if open %} b')).toBe('a b')
  expect(plain('select {{ open and {% closed')).toBe('select {{ open and {% closed')
  expect(plain('-- if prod -- shop.orders\n-- if dev -- dev.orders')).toBe('shop.orders')
  expect(plain('from -- if dev -- dev.orders -- if prod -- shop.orders')).toBe('from shop.orders')
})

test('what a model includes: patterns, cycles, refinements in order, extended views', () => {
  const notes: string[] = []
  const files = new Map(
    Object.entries({
      'models/a.model.lkml': 'include: "/views/*.view" include: "more.lkml" include: "//other/x.view" include: "/missing.view"',
      'models/more.lkml': 'include: "a.model.lkml" view: +base { label: "last" } view: +absent {}',
      'b.model.lkml': 'include: "**/base.view.lkml"',
      'views/base.view.lkml':
        'view: base { label: "first" sql_table_name: t ;; dimension: x { type: number sql: 1 ;; } } view: +base { label: "second" dimension: x { type: string } }',
      'views/child.view.lkml':
        'view: child { extends: [base, lost] derived_table: { sql: select 1 ;; } dimension: y {} } view: loop { extends: [loop2] } view: loop2 { extends: [loop] }',
      'views/deep/hidden.view.lkml': 'view: deep {}',
    }).map(([path, text]) => [path, parseLookml(text)]),
  )
  const scopes = buildScopes(files, (text) => notes.push(text))
  expect(scopes.map(({ name, views }) => [name, [...views.keys()]])).toEqual([
    ['a', ['base', 'child', 'loop', 'loop2']],
    ['b', ['base']],
  ])
  const views = scopes.map((scope) => scope.views)
  expect(toObject(views[0]!.get('base')!.block)).toEqual({
    'view base': ['label=last', 'sql_table_name=t', { 'dimension x': ['type=string', 'sql=1'] }],
  })
  expect(views[1]!.get('base')!.block.values.get('label')).toEqual(['second'])
  // It extends the view as it is refined, and its own table replaces that.
  expect(toObject(views[0]!.get('child')!.block)).toEqual({
    'view child': [
      'label=last',
      'extends=base|lost',
      { 'dimension x': ['type=string', 'sql=1'] },
      { derived_table: ['sql=select 1'] },
      { 'dimension y': [] },
    ],
  })
  expect(new Set(notes)).toEqual(
    new Set([
      'models/a.model.lkml includes //other/x.view, which is no file of the project.',
      'models/a.model.lkml includes /missing.view, which is no file of the project.',
      'models/more.lkml refines the view absent, which no file defines that its model includes.',
      'views/child.view.lkml: view child extends lost, which its model does not include.',
      'views/child.view.lkml: view loop2 extends itself by loop.',
    ]),
  )
})

test('a file of a megabyte does not take long', () => {
  const started = performance.now()
  const fill = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length))
  parseLookml(`view: a { ${fill('dimension: x { sql: {{ a ;; } ')} }`)
  parseLookml(`${fill(' ')}label: "${fill('\\"')}"`)
  toPlainSql(fill('{{ '))
  toPlainSql(fill('{% if a %}'))
  expandConstants(fill('@{ '), new Map())
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('a project that is made to take long is read as fast as any other', () => {
  const startedAt = performance.now()
  const repeated = parseLookml('a: b\n'.repeat(200_000))
  expect(repeated.values.get('a')).toHaveLength(200_000)
  const files = new Map([['m.model.lkml', parseLookml('include: "/**a**a**a**a**a**a**b" include: "/**/**/**/**/**/**/**/b"')]])
  for (let i = 0; i < 20; i += 1) files.set(`${i}${'a'.repeat(150)}.view.lkml`, parseLookml(''))
  files.set(`${'a/'.repeat(90)}a.view.lkml`, parseLookml(''))
  expect(buildScopes(files, () => {})).toHaveLength(1)
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})
