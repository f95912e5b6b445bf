-- Helper functions that generate rows. Dropped at the end, because the shop itself does not need them.
-- Nothing here is random: the same row number and the same clock give the same shop.

create schema demo_tools;

create function demo_tools.now() returns timestamptz language sql stable as $$
  select current_setting('demo.now')::timestamptz
$$;

create function demo_tools.today() returns date language sql stable as $$
  select (demo_tools.now() at time zone 'UTC')::date
$$;

-- The shop opened eighteen months ago.
create function demo_tools.opened() returns date language sql stable as $$
  select demo_tools.today() - 540
$$;

-- A pseudo-random number from 0 (inclusive) to 1 (exclusive) for this seed and row number.
create function demo_tools.roll(dice text, n bigint) returns double precision language sql immutable as $$
  select ((hashtextextended(dice, n) >> 11) & 9007199254740991) / 9007199254740992.0::double precision
$$;

create function demo_tools.pick(options text[], roll double precision) returns text language sql immutable as $$
  select options[1 + floor(roll * cardinality(options))::int]
$$;

-- A shopping time on that day: mostly around noon, never between 23:00 and 3:30.
create function demo_tools.moment(day date, dice text, n bigint) returns timestamptz language sql immutable as $$
  select day::timestamp at time zone 'UTC' + interval '1 second' * floor(86400 * (
    0.15 + 0.4 * demo_tools.roll(dice || ' hour', n) + 0.4 * demo_tools.roll(dice || ' minute', n)))
$$;

-- How busy a day is (1 is an average day of the first weeks): growth, weekday, season and noise.
create table demo_tools.days as
select d::date as day, n,
  (1 + n / 240.0)
  * (array[1.05, 0.95, 0.95, 1.0, 1.1, 1.3, 1.25])[extract(isodow from d)::int]
  * (array[0.85, 0.85, 0.95, 1.0, 1.0, 0.95, 0.85, 0.85, 1.0, 1.05, 1.35, 1.6])[extract(month from d)::int]
  * (0.8 + 0.4 * demo_tools.roll('busy day', n)) as busy
from generate_series(demo_tools.opened(), demo_tools.today(), interval '1 day') with ordinality as days(d, n);
