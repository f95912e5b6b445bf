// Families of series in addition to those of the shared benchmark, in the same format: tuning must hold for these too.
// Each has its true limits (`lo` and `hi`), like the benchmark's oracle.

/** The random number generator of the benchmark. */
type Rng = {
  u: () => number
  n: () => number
  t: (freedom: number) => number
  nb: (mean: number, shape: number) => number
  binom: (n: number, p: number) => number
  gamma: (shape: number) => number
  range: (low: number, high: number) => number
  logRange: (low: number, high: number) => number
  int: (low: number, high: number) => number
  pick: <T>(some: readonly T[]) => T
  chance: (p: number) => boolean
}
/** An ongoing incident, in the benchmark's format. */
type Mod = { readonly kind: string; readonly mag: number; readonly age: number } | null
type Step = { v: number; lo: number; hi: number }
/** `k` is the benchmark's name for the level after permanent shifts. */
type State = { k: number }

export type Family<S extends State = State> = {
  readonly freq: number
  readonly n: readonly [number, number]
  readonly metric: string
  readonly init: (r: Rng, n: number) => S
  readonly step: (state: S, i: number, t: number, mod: Mod, r: Rng, z: number) => Step
  readonly incidents: readonly (readonly [kind: string, least_days: number, most_days: number, size: (r: Rng) => number])[]
  /** Incidents start where the true limits are exceeded, like late updates. */
  readonly staleSpan?: boolean
}

const DAY = 86_400
const weekdayOf = (t: number) => Math.floor(t / DAY + 4) % 7
const hourOf = (t: number) => Math.floor(t / 3600) % 24
const isWeekend = (t: number) => weekdayOf(t) === 0 || weekdayOf(t) === 6
const dateOf = (t: number) => new Date(t * 1000).getUTCDate()

const changed = (v: number, mod: Mod): number => {
  if (!mod) return v
  if (mod.kind === 'zero') return 0
  if (mod.kind === 'set') return mod.mag
  if (mod.kind === 'add') return v + mod.mag
  return ['scale', 'partial', 'dup', 'spike', 'shift'].includes(mod.kind) ? v * mod.mag : v
}
const whole = (x: number) => Math.max(0, Math.round(x))
const around = (m: number, s: number, z: number) => ({ lo: m * Math.exp(-z * s), hi: m * Math.exp(z * s) })

/** The benchmark passes the state created by `init` to every step, so each family may have its own. */
const family = <S extends State>(definition: Family<S>): Family => definition as unknown as Family

const LOST = ['partial', 1, 2, (r: Rng) => r.range(0.2, 0.6)] as const
const GONE = ['zero', 1, 2, () => 0] as const
const TWICE = ['dup', 1, 2, (r: Rng) => r.range(1.8, 2.5)] as const
const LOST_SHORTLY = ['partial', 0.2, 0.6, (r: Rng) => r.range(0.1, 0.4)] as const
const GONE_SHORTLY = ['zero', 0.15, 0.5, () => 0] as const
const BURST_SHORTLY = ['spike', 0.1, 0.4, (r: Rng) => r.range(3, 6)] as const
const SHIFT = ['shift', 0, 0, (r: Rng) => (r.chance(0.5) ? r.range(0.35, 0.6) : r.range(1.7, 2.6))] as const

export const HELD_OUT: Readonly<Record<string, Family>> = {
  orders_heavy_tailed: family({
    freq: 24,
    n: [150, 330],
    metric: 'row_count',
    init: (r) => ({ k: 1, level: r.logRange(500, 1e6), s: r.range(0.03, 0.08), rest: r.range(0.4, 1) }),
    step: (S, _i, t, mod, r, z) => {
      const m = S.level * S.k * (isWeekend(t) ? S.rest : 1)
      return { v: whole(changed(m * Math.exp(0.8 * S.s * r.t(4)), mod)), ...around(m, S.s * 1.5, z) }
    },
    incidents: [LOST, TWICE, GONE, SHIFT],
  }),
  visits_yearly_tide: family({
    freq: 24,
    n: [200, 365],
    metric: 'row_count',
    init: (r) => ({
      k: 1,
      level: r.logRange(1000, 1e6),
      tide: r.range(0.1, 0.4),
      from: r.u(),
      s: r.range(0.04, 0.12),
      rest: r.range(0.3, 1.3),
      x: 0,
    }),
    step: (S, i, t, mod, r, z) => {
      S.x = 0.5 * S.x
      const m = S.level * S.k * (1 + S.tide * Math.sin(2 * Math.PI * (i / 365 + S.from))) * (isWeekend(t) ? S.rest : 1) * Math.exp(S.x)
      const e = S.s * r.n()
      S.x += e
      return { v: whole(changed(m * Math.exp(e), mod)), ...around(m, S.s, z) }
    },
    incidents: [LOST, TWICE, GONE, SHIFT],
  }),
  workdays_only: family({
    freq: 24,
    n: [150, 300],
    metric: 'row_count',
    init: (r) => ({ k: 1, level: r.logRange(300, 2e5), s: r.range(0.05, 0.15), monday: r.range(1, 2.2) }),
    step: (S, _i, t, mod, r, z) => {
      if (isWeekend(t)) return { v: mod?.kind === 'dup' ? whole(S.level * 0.5) : 0, lo: 0, hi: 0.5 }
      const m = S.level * S.k * (weekdayOf(t) === 1 ? S.monday : 1)
      return { v: whole(changed(m * Math.exp(S.s * r.n()), mod)), ...around(m, S.s, z) }
    },
    incidents: [
      ['partial', 2, 3, (r) => r.range(0.15, 0.5)],
      ['zero', 2, 3, () => 0],
      ['scale', 2, 3, (r) => r.range(2.2, 4)],
    ],
  }),
  events_3h: family({
    freq: 3,
    n: [400, 700],
    metric: 'row_count',
    init: (r) => ({
      k: 1,
      level: r.logRange(100, 1e5),
      shape: r.range(0.3, 0.9),
      peak: r.range(8, 20),
      s: r.range(0.06, 0.18),
      rest: r.range(0.3, 1.1),
      g: r.range(-1e-4, 3e-4),
    }),
    step: (S, i, t, mod, r, z) => {
      const m =
        S.level * S.k * Math.exp(S.g * i) * (1 + S.shape * Math.cos(((hourOf(t) - S.peak) / 12) * Math.PI)) * (isWeekend(t) ? S.rest : 1)
      const s = Math.sqrt(S.s ** 2 + 1 / Math.max(1, m))
      return { v: whole(changed(r.nb(m, 1 / S.s ** 2), mod)), lo: Math.max(0, m * Math.exp(-z * s) - 1), hi: m * Math.exp(z * s) + 1 }
    },
    incidents: [LOST_SHORTLY, GONE_SHORTLY, BURST_SHORTLY, SHIFT],
  }),
  queue_bursts: family({
    freq: 1,
    n: [720, 1200],
    metric: 'custom_sql',
    init: (r) => ({ k: 1, level: r.logRange(20, 2000), s: r.range(0.15, 0.35), busy: r.range(1, 3), x: 0 }),
    step: (S, _i, t, mod, r, z) => {
      const past = 0.6 * S.x
      S.x = past + S.s * 0.8 * r.n()
      const h = hourOf(t)
      const m = S.level * S.k * (h >= 8 && h < 18 ? S.busy : 1)
      return { v: whole(changed(m * Math.exp(S.x), mod)), ...around(m * Math.exp(past), 0.8 * S.s, z) }
    },
    incidents: [['spike', 0.1, 0.5, (r) => r.range(6, 15)], GONE_SHORTLY, ['shift', 0, 0, (r) => r.range(3, 5)]],
  }),
  price_mean_hourly: family({
    freq: 1,
    n: [720, 1100],
    metric: 'mean',
    init: (r) => ({ k: 1, level: r.logRange(3, 900), s: r.range(0.01, 0.06), day: r.range(0, 0.15), x: 0 }),
    step: (S, _i, t, mod, r, z) => {
      const past = 0.8 * S.x
      S.x = past + S.s * r.n()
      const m = S.level * S.k * (1 + S.day * Math.sin((hourOf(t) / 12) * Math.PI))
      const reach = z * S.s * m
      return { v: changed(m * (1 + S.x), mod), lo: m * (1 + past) - reach, hi: m * (1 + past) + reach }
    },
    incidents: [
      ['scale', 0.1, 0.6, (r) => r.pick([0.01, 0.1, 10])],
      ['set', 0.1, 0.3, () => 0],
      ['scale', 0.2, 0.8, (r) => r.pick([0.4, 2])],
    ],
  }),
  largest_amount: family({
    freq: 24,
    n: [120, 300],
    metric: 'max',
    init: (r) => ({ k: 1, level: r.logRange(100, 1e5), s: r.range(0.05, 0.2) }),
    step: (S, _i, _t, mod, r, z) => {
      const m = S.level * S.k
      return {
        v: changed(m * Math.exp(S.s * -Math.log(-Math.log(r.u() || 0.5))), mod),
        lo: m * Math.exp(-S.s * 2.2),
        hi: m * Math.exp(S.s * (z * z + 1)),
      }
    },
    incidents: [
      ['scale', 1, 3, (r) => r.pick([0.01, 0.1, 100, 1000])],
      ['set', 1, 1, () => 0],
      ['scale', 1, 2, (r) => r.range(15, 40)],
    ],
  }),
  customers_wandering: family({
    freq: 24,
    n: [120, 300],
    metric: 'cardinality',
    init: (r) => ({ k: 1, level: r.logRange(50, 50_000), s: r.range(0.002, 0.02), g: r.range(-0.001, 0.004) }),
    step: (S, _i, _t, mod, r, z) => {
      const m = S.level * (1 + S.g)
      S.level = Math.max(1, m * Math.exp(S.s * r.n()))
      const { lo, hi } = around(m * S.k, S.s, z)
      return { v: whole(changed(S.level * S.k, mod)), lo: lo - 1, hi: hi + 1 }
    },
    incidents: [LOST, GONE, ['scale', 1, 3, (r) => r.range(1.4, 2.5)]],
  }),
  null_share_of_few: family({
    freq: 24,
    n: [120, 300],
    metric: 'null_percentage',
    init: (r) => ({ k: 1, p: r.range(0.01, 0.3), rows: Math.round(r.logRange(60, 800)) }),
    step: (S, _i, _t, mod, r, z) => {
      const sd = 100 * Math.sqrt((S.p * (1 - S.p)) / S.rows)
      return {
        v: Math.min(100, changed((100 * r.binom(S.rows, S.p)) / S.rows, mod)),
        lo: Math.max(0, 100 * S.p - z * sd),
        hi: Math.min(100, 100 * S.p + (z + 0.6) * sd),
      }
    },
    incidents: [
      ['add', 1, 3, (r) => r.range(25, 60)],
      ['set', 1, 2, () => 100],
      ['add', 1, 2, (r) => r.range(30, 50)],
    ],
  }),
  spend_closing_month: family({
    freq: 24,
    n: [200, 365],
    metric: 'cost',
    init: (r) => ({ k: 1, level: r.logRange(5, 5000), s: r.range(0.06, 0.2), close: r.range(1.5, 4), rest: r.range(0.2, 0.9) }),
    step: (S, _i, t, mod, r, z) => {
      const m = S.level * S.k * (dateOf(t + DAY) === 1 ? S.close : 1) * (isWeekend(t) ? S.rest : 1)
      return { v: Number(changed(m * Math.exp(S.s * r.n()), mod).toFixed(2)), ...around(m, S.s, z) }
    },
    incidents: [['spike', 1, 3, (r) => r.range(3, 8)], GONE, ['shift', 0, 0, (r) => r.range(2, 3)]],
  }),
  rejected_rows: family({
    freq: 24,
    n: [150, 330],
    metric: 'custom_sql',
    init: (r) => ({ k: 1, often: r.range(0.05, 0.35), size: r.logRange(3, 300) }),
    step: (S, _i, _t, mod, r) => {
      const v = r.chance(S.often) ? Math.ceil(S.size * r.gamma(1)) : 0
      return { v: mod?.kind === 'add' ? v + Math.round(mod.mag * S.size) : v, lo: 0, hi: 9 * S.size }
    },
    incidents: [
      ['add', 1, 3, (r) => r.range(25, 90)],
      ['add', 1, 2, (r) => r.range(15, 40)],
    ],
  }),
  payday_fortnight: family({
    freq: 24,
    n: [180, 330],
    metric: 'row_count',
    init: (r) => ({ k: 1, level: r.logRange(400, 1e5), s: r.range(0.04, 0.1), pay: r.range(2, 5), day: r.int(0, 13) }),
    step: (S, _i, t, mod, r, z) => {
      const m = S.level * S.k * (Math.floor(t / DAY) % 14 === S.day ? S.pay : 1)
      return { v: whole(changed(m * Math.exp(S.s * r.n()), mod)), ...around(m, S.s, z) }
    },
    incidents: [LOST, GONE, ['dup', 2, 3, (r) => r.range(1.8, 2.3)]],
  }),
  loads_every_6h: family({
    freq: 6,
    n: [240, 480],
    metric: 'freshness',
    init: (r) => ({ k: 1, usual: r.range(0.5, 5), s: r.range(0.1, 0.35) }),
    step: (S, _i, _t, mod, r, z) => ({
      v: S.usual * Math.exp(S.s * r.n()) + (mod?.kind === 'late' ? 6 * (mod.age + 1) : 0),
      lo: 0,
      hi: S.usual * Math.exp(z * S.s),
    }),
    incidents: [
      ['late', 1, 2, () => 1],
      ['late', 0.75, 1.5, () => 1],
    ],
  }),
  weekly_report: family({
    freq: 168,
    n: [60, 110],
    metric: 'row_count',
    init: (r) => ({ k: 1, level: r.logRange(100, 1e6), s: r.range(0.03, 0.15), g: r.range(-0.002, 0.01) }),
    step: (S, i, _t, mod, r, z) => {
      const m = S.level * S.k * Math.exp(S.g * i)
      return { v: whole(changed(m * Math.exp(S.s * r.n()), mod)), ...around(m, S.s, z) }
    },
    incidents: [
      ['partial', 7, 14, (r) => r.range(0.2, 0.55)],
      ['zero', 7, 14, () => 0],
      ['dup', 7, 14, (r) => r.range(1.8, 2.5)],
    ],
  }),
}
