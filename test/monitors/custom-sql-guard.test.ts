import { expect, test } from 'vitest'
import { type CheckedSql, checkCondition, checkSelect } from '../../src/observability/runs/check-sql.ts'
import { getDialectSql } from '../../src/sources/connectors/shared/dialect-sql.ts'

const findProblem = (checked: CheckedSql): string | undefined => ('problem' in checked ? checked.problem : undefined)
const findTables = (text: string, dialect = 'postgres'): string[] => {
  const checked = checkSelect(text, dialect)
  if ('problem' in checked) throw new Error(`${text}: ${checked.problem}`)
  return checked.tables.map(({ parts }) => parts.join('.'))
}

test.each([
  `select count(*) from t, lateral (select U&"pg_\\0061dvisory_lock"(hashtext('resources.tree'))) x`,
  `select U&"pg_!0061dvisory_lock" UESCAPE '!' (1)`,
  `select count(*) from ts_stat($q$ select to_tsvector(pg_sleep(60)::text) $q$)`,
  `select ts_rewrite('a'::tsquery, 'select ...')`,
  `select length(query_to_xml('select * from tokens', true, true, '')::text)`,
  `select length(table_to_xml('tokens', true, true, '')::text)`,
  `select database_to_xml(true, true, '')`,
  `select length(cursor_to_xml('c', 1, true, true, '')::text)`,
  `select * from dblink('host=x', 'select 1') as t(a int)`,
  `select pg_read_file('/etc/passwd')`,
  `select length(pg_read_binary_file('/etc/passwd'))`,
  `select count(*) from pg_ls_dir('/')`,
  `select lo_import('/etc/passwd')`,
  `select lo_get(1)`,
  `select pg_sleep(10)`,
  `select "pg_sleep"(10)`,
  `select pg_catalog.pg_sleep(10)`,
  `select pg_catalog . "pg_sleep" (10)`,
  `select PG_SLEEP/**/(10)`,
  `select set_config('work_mem', '1TB', false)`,
  `select current_setting('data_directory')`,
  `select pg_terminate_backend(1)`,
  `select pg_advisory_lock(1)`,
  `select pg_try_advisory_xact_lock(1)`,
  `select pg_notify('a', 'b')`,
  `select nextval('s')`,
  `select public.count(1)`,
  `select "COUNT"(1)`,
  `select 1 operator(public.+) 2`,
  `select case when true then pg_sleep(1) end`,
  `select coalesce(null, (select pg_sleep(1)))`,
  `select distinct on (a) pg_sleep(10) from t`,
  `select sum(1) over (order by pg_sleep(1))`,
  `select count(*) filter (where pg_sleep(1) is null) from t`,
  `select 1 from t group by pg_sleep(1)`,
  `select 1 limit (select pg_backend_pid())`,
  `select count(*) from (table pg_roles) x`,
  `table pg_roles`,
  `select 1 union table pg_roles`,
  `select exists (table pg_roles)`,
  `select 1 as a$$, (select count(*) from pg_roles) as b$$`,
  `select 1from pg_roles`,
  `select 1 ſrom pg_roles`,
  `select 1 \u2018x\u2019`,
  'select `a` from t',
  `select 1; select 2`,
  `select 1 into x`,
  `select * from t for share`,
  `select * from t for no key update`,
  `with x as (insert into t values (1) returning 1) select * from x`,
  `with x as (select 1) delete from t`,
  `select {{ x }} from t`,
  `explain select 1`,
  `select 1 \0`,
])('custom SQL on Postgres is rejected: %s', (text) => expect(findProblem(checkSelect(text, 'postgres'))).toBeTypeOf('string'))

test.each([
  ['mysql', 'select sleep(10)'],
  ['mysql', `select load_file('/etc/passwd')`],
  ['mysql', `select get_lock('a', 10)`],
  ['mysql', `select benchmark(1e9, md5('a'))`],
  ['mysql', `select extractvalue(1, concat('~', (select 1)))`],
  ['mysql', `select 'a\\', (select secret from s), 'b'`],
  ['mysql', 'select @@global.datadir'],
  ['mysql', `select 1 into outfile 'rows.txt'`],
  ['mysql', 'select * from t lock in share mode'],
  ['clickhouse', `select * from url('http://127.0.0.1/', CSV, 'a String')`],
  ['clickhouse', `select * from file('/etc/passwd')`],
  ['clickhouse', `select * from remote('127.0.0.1', system.users)`],
  ['clickhouse', `select joinGet('s.secret', 'a', 1)`],
  ['clickhouse', `select dictGet('d', 'a', 1)`],
  ['clickhouse', 'select sleepEachRow(1) from t'],
  ['clickhouse', 'select 1 settings max_execution_time = 0'],
  ['duckdb', `select * from read_csv('/etc/passwd')`],
  ['duckdb', `select * from '/etc/passwd'`],
  ['duckdb', `select * from read_text('https://example.com')`],
  ['duckdb', `select * from query('select 1')`],
  ['duckdb', 'select * from (summarize t)'],
  ['duckdb', `select getenv('HOME')`],
  ['sqlite', `select load_extension('x')`],
  ['sqlite', `select readfile('/etc/passwd')`],
  ['sqlite', `select e'a\\', (select secret from s), 'b'`],
  ['sqlite', 'select $q$ (select 1) $q$'],
  ['snowflake', 'select system$wait(10)'],
  ['snowflake', `select * from table(result_scan('x'))`],
  ['snowflake', `select * from identifier('secret')`],
  ['snowflake', `select * from table('secret')`],
  ['snowflake', 'select $1 from @stage'],
  ['bigquery', `select * from external_query('x', 'select 1')`],
  ['bigquery', 'select * from ml.predict(model m, (select 1))'],
  ['redshift', 'select pg_sleep(1)'],
  ['trino', `select * from table(mysql.system.query(query => 'select 1'))`],
  ['databricks', `select java_method('java.lang.System', 'exit', 1)`],
  ['databricks', `select * from read_files('/')`],
])('custom SQL on %s is rejected: %s', (dialect, text) => expect(findProblem(checkSelect(text, dialect))).toBeTypeOf('string'))

test('the error names a function that is not allowed, and an admin can allow it', () => {
  expect(findProblem(checkSelect('select my_score(1)', 'postgres'))).toContain('must not call my_score')
  expect(findProblem(checkSelect('select my_score(1)', 'postgres', new Set(['my_score'])))).toBeUndefined()
  expect(findProblem(checkSelect('select app.my_score(1)', 'postgres', new Set(['my_score'])))).toContain('app.my_score')
})

/** All tables a server would read must be found: keyword-like names, common table expressions and aliases must not hide one. */
test.each<[string, string[], string?]>([
  ['select count(*) from public.orders o join "Line Items" l on l.o = o.id', ['public.orders', 'Line Items']],
  ['select 1 from a, b as c, lateral (select * from d) e', ['a', 'b', 'd']],
  ['select 1 from a left join (b cross join c) on true', ['a', 'b', 'c']],
  ['select 1 from ((select 1) x, secret)', ['secret'], 'mysql'],
  ['select 1 from t offset, secret', ['t', 'secret'], 'mysql'],
  ['select 1 from t limit, secret', ['t', 'secret'], 'trino'],
  ['select 1 from t format, secret', ['t', 'secret']],
  ['select 1 from t minus (a), secret', ['t', 'secret']],
  ['select 1 from a join b on a.array < b.x, secret where 2 > 1', ['a', 'b', 'secret']],
  ['with x as (select 1) select * from x', []],
  ['with x as (select 1) select * from public.x', ['public.x']],
  ['with x as (select * from x) select * from x', ['x']],
  ['with "X" as (select 1) select * from x', ['x']],
  ['with a as (select * from b), b as (select 1) select * from a', ['b']],
  ['select * from (with s as (select 1) select * from s) x join s on true', ['s']],
  ['with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n', []],
  ['select extract(year from at), trim(both from x), substring(x from 2 for 3) from t where a is distinct from b', ['t']],
  ['select trim((select x from secret)) from t', ['secret', 't']],
  ['select distinct from secret', ['secret']],
  ['select 1 from t group by a, b order by c, d limit 5, 6', ['t'], 'mysql'],
  ['select sum(a) over w from t window w as (order by b), v as (order by c)', ['t']],
  ['select a from t union select b, c from u order by 1, 2', ['t', 'u']],
  ['select count(*) from generate_series(1, 3) as g(n), unnest(array[1]) with ordinality as u(a, b)', []],
  ['select count(*) from t where x in (select id from u where y = any (select z from v))', ['t', 'u', 'v']],
  ['select 1 from t where x in secret', ['t', 'secret'], 'clickhouse'],
  ['select 1 from t where x in (secret)', ['t', 'secret'], 'clickhouse'],
  ['select 1 /*! from secret */ from t', ['t'], 'mysql'],
  ['select 1 from t -- , secret', ['t']],
  ['select count(*) from `shop-eu`.sales.orders', ['shop-eu.sales.orders'], 'bigquery'],
])('%s reads %j', (text, tables, dialect) => expect(findTables(text, dialect)).toEqual(tables))

test('the statement is sent without comments and with full table names', () => {
  const checked = checkSelect('select /* x */ count(*) -- y\n from orders o, "Old" where a = \'--\';', 'postgres')
  if ('problem' in checked) throw new Error(checked.problem)
  const dialectSql = getDialectSql('postgres')
  expect(checked.write(({ parts }) => dialectSql.table(['shop', 'public', ...parts]))).toBe(
    `select count(*) from "public"."orders" o, "public"."Old" where a = '--'`,
  )
})

test.each([
  'select count(*) from orders',
  'select count(distinct customer_id)::int from orders;',
  `select avg(total) from orders where created_at >= now() - interval '7 days'`,
  `select 100.0 * count(*) filter (where status = 'failed') / nullif(count(*), 0) from payments`,
  'select max(n) from (select count(*) as n from orders group by email having count(*) > 1) d',
  `with late as (select o.id from orders o left join shipments s using (order_id) where s.id is null) select count(*) from late`,
  `select percentile_cont(0.95) within group (order by total) from orders`,
  `select extract(epoch from now() - max(loaded_at)) / 3600 from raw.events`,
  `select sum(case when a is null or trim(a) = '' then 1 else 0 end) from t`,
  `select count(*) from t where lower(email) !~* '^[a-z]+@' and left(x, 2) in ('ab', 'cd')`,
  `select max(gap) from (select at - lag(at) over (partition by device order by at) as gap from pings) x`,
  `select count(*) from t where payload ->> 'kind' = $$it's$$ and jsonb_array_length(payload -> 'items') > 2`,
  `select cast(sum(total) as numeric(12, 2)) from orders`,
  `select abs(a.n - b.n) from (select count(*) n from x) a cross join (select count(*) n from y) b`,
  `select date_part('day', current_date - max(d)) from generate_series(date '2026-01-01', current_date, interval '1 day') d`,
  `select count(*) from a where not exists (select 1 from b where b.id = a.id)`,
  `select count(*) from orders tablesample system (10) repeatable (1)`,
  `select coalesce(sum(total) filter (where kind = 'refund'), 0) / greatest(1, sum(total)) from ledger`,
  `select count(*) from orders where code ~ '\\d+' and note like '%\\%' escape '\\'`,
  `select round(stddev_samp(total)::numeric, 2) from orders where (status, kind) in (('a', 1), ('b', 2))`,
])('a normal query is allowed: %s', (text) => expect(findProblem(checkSelect(text, 'postgres'))).toBeUndefined())

test.each([
  ['mysql', 'select count(*) from `orders` where date(created_at) = curdate() - interval 1 day'],
  ['mysql', `select sum(if(status = "late", 1, 0)) / count(*) from orders # share`],
  ['mysql', `select timestampdiff(hour, max(loaded_at), utc_timestamp()) from events`],
  ['clickhouse', 'select countIf(status = 500) / count() from logs where time > now() - interval 1 hour'],
  ['clickhouse', 'select uniqExactIf(user_id, event = 1), quantile(0.9)(ms) from logs'],
  ['clickhouse', `select toFloat64(sum(total)) from shop.orders final where toDate(at) = today()`],
  ['snowflake', `select count_if(total < 0) from "Orders" where at > dateadd(day, -1, current_timestamp())`],
  ['snowflake', 'select count(*) from orders, lateral flatten(input => items) f'],
  ['bigquery', 'select countif(total is null) / count(*) from `p.d.orders`'],
  ['bigquery', 'select safe.parse_date("%Y", max(y)) from d.orders, unnest(items) as i'],
  ['databricks', `select count_if(total < 0) from main.shop.orders where at > current_timestamp() - interval 1 day`],
  ['trino', `select approx_percentile(total, 0.9) from hive.shop.orders where at > current_timestamp - interval '1' day`],
  ['redshift', `select count(*) from orders where at > dateadd(day, -1, getdate())`],
  ['duckdb', `select count(*) filter (total < 0) from orders where at > now() - interval 1 day`],
  ['sqlite', `select count(*) from orders where at > datetime('now', '-1 day')`],
])('a normal query is allowed on %s: %s', (dialect, text) => expect(findProblem(checkSelect(text, dialect))).toBeUndefined())

test.each<[string, boolean]>([
  [`status = 'a' and total > 5`, true],
  ['exists (select 1 from u where u.id = t.id)', true],
  ['pg_sleep(1) is null', false],
  ['1 = 1) or (1 = 1', false],
  ['a = 1 -- b', false],
  ['select 1', false],
])('condition is allowed: %s is %s', (text, allowed) => expect(findProblem(checkCondition(text, 'postgres')) === undefined).toBe(allowed))

test.each([
  ['sqlite', 'select max(secrets.v) from visible array join secrets on 1=1'],
  ['postgres', `select max(s.v) from visible a join visible b on '{1}'::int[] = '{1}'::int array join secrets s on true`],
  ['mysql', 'select max(secrets.v) from visible array join secrets on 1=1'],
  ['clickhouse', 'select max(s.v) from visible as array join secrets s on 1=1'],
  ...['postgres', 'sqlite', 'mysql', 'snowflake', 'databricks', 'trino', 'clickhouse'].map((dialect) => [
    dialect,
    'select max(s.v) from visible minus (values), secrets s',
  ]),
  ['sqlite', `select 'pw' in secrets`],
  ['sqlite', `select count(*) from visible where ('alice', '4711') not in secrets`],
  ['clickhouse', 'select 1 in ((secrets))'],
  ['clickhouse', 'select (1, 2) in (((1, 2), (secrets)))'],
  ['clickhouse', 'with secrets as (select 1 as x) select 1 from secrets union all select max(x) from secrets'],
  ['postgres', 'select 1 where not distinct from secrets'],
])('a hidden table is detected in %s: %s', (dialect, text) => {
  const checked = checkSelect(text!, dialect!)
  if (!('problem' in checked)) expect(checked.tables.map(({ parts }) => parts.at(-1)!.toLowerCase())).toContain('secrets')
})

test.each([
  ['clickhouse', 'select * apply sleep from visible'],
  ['clickhouse', 'select 1 union all with secrets as (select 1 as x) select x from secrets where 0 union all select max(x) from secrets'],
])('%s rejects: %s', (dialect, text) => expect(findProblem(checkSelect(text, dialect))).toBeTypeOf('string'))

test.each([
  ['clickhouse', 'select count() from visible array join tags as tag where tag in (1, 2)', ['visible']],
  ['sqlite', `select count(*) from visible where kind in ('a', 'b')`, ['visible']],
  ['postgres', 'select 1 from a union (values (1), (2))', ['a']],
  ['postgres', 'select count(*) from a where x is not distinct from y', ['a']],
  ['snowflake', 'select a from visible minus select b from other', ['VISIBLE', 'OTHER']],
] as const)('tables of a statement in %s: %s', (dialect, text, tables) => expect(findTables(text, dialect)).toEqual(tables))
