import { type Alarms, cautionOf, countAlarm, createAlarms, forgive, forgivenOf, toleratedOf } from './alarms.ts'
import { bandOf } from './band.ts'
import { createBank } from './bank.ts'
import { chancePerRun } from './budget.ts'
import { isHoliday, type Moment } from './calendar.ts'
import { type Before, profileOf } from './channel.ts'
import { type Filter, forecast, surprise } from './filter.ts'
import { becomesHabit, createHabits } from './habit.ts'
import { acceptLevel, acceptPhase, learn, lossOf, returning, scoreForecast, start } from './lesson.ts'
import { within } from './metric.ts'
import {
  type Band,
  isEarly,
  type Outlook,
  type Reason,
  type Run,
  type Setting,
  type Span,
  sideOf,
  stretchOver,
  type Watcher,
} from './outlook.ts'
import { keepOddity, type Oddity, openForRhymes, rhyming } from './recurrence.ts'
import { binomialReach, createSampling, recordSample } from './sample.ts'
import { createUpdates, gapLimit, patienceFor, recordFreshness, updatesAreRare } from './updates.ts'

const NEARLY_AS_GOOD = 0.02 // nats: filters this close to the best are also used
const OWN_SURPRISE = 2.5 // sd beyond which a filter itself treats a value as anomalous
const ODD_WEIGHT = 0.25
const BEYOND_TOLERATED = 1.15
const REIN = { percentage: 1.5, count: 5 } // times the width of the plain filters
const RESTING = 3 // runs without a change, and at least one day
const HOLIDAY_REST = 0.3 // of the expected count

const fewMore = (step: number): number => 2 + 2 * Math.sqrt(Math.max(0, step))

type Pace = { readonly first_runs: number; readonly warm: number }

/** Forecasts values for which zero is not special, using the best of several candidate filters. */
export const createDenseWatcher = (setting: Setting, values: readonly number[], stepwise: boolean, pace: Pace): Watcher => {
  const { metric, rhythm } = setting
  const { daily, slots, frequency_hours } = rhythm
  const { first_runs, warm } = pace
  const usual_chance = chancePerRun(rhythm)
  const percentage = metric.kind === 'percentage'
  const freshness = metric.kind === 'freshness'
  // Memory, in runs, of the noise and of the filter scores.
  const memory = daily ? 40 : Math.min(120, Math.max(40, 14 * slots))
  const patience = daily ? 0.965 : Math.max(0.965, 0.992 ** frequency_hours)
  const allowance = daily ? 7 : frequency_hours >= 6 ? 4 * slots : 2 * slots
  const new_level_after = Math.max(4, Math.round(0.7 * allowance))

  const trust = daily ? 1 : 1.25

  const profile = profileOf(metric, values, stepwise)
  const whole = profile.integer && !percentage // a percentage that was always 0 or 100 may become fractional
  const bank = createBank(profile, rhythm)
  const alarms: Alarms = createAlarms()
  const habits = createHabits(rhythm)
  const updates = freshness ? createUpdates() : undefined
  const oddities: Oddity[] = []
  const sampling = createSampling()
  const seen: [number, number] = [0, 0]
  const last = { hours: Number.NaN, x: Number.NaN, clean: Number.NaN }
  const away = { runs: 0, side: 0, since: 0 }
  const before: Before = { value: Number.NaN, runs: 1 }
  let count = 0
  let falling = 0
  let unchanged = 0
  let looked_at = Number.NaN
  /** The last forecast: predicting and then observing a run needs the same one twice. */
  let asked: { hours: number; per_run: number; row_count: number | undefined; outlook: Outlook | undefined } | undefined

  const ready = (filter: Filter) => !Number.isNaN(filter.next.centre)
  const scaleAt = (centre: number) => Math.max(Math.abs(centre), profile.size, 1e-9)

  const around = (centre: number, { up, down }: { up: number; down: number }): Span => {
    const reach = BEYOND_TOLERATED * scaleAt(centre)
    return { lower: centre - reach * down, upper: centre + reach * up }
  }

  /** Updates the prediction of every filter. */
  const look = (moment: Moment): void => {
    if (looked_at === moment.hours) return
    looked_at = moment.hours
    before.value = last.clean
    before.runs = count ? Math.max(1, Math.round((moment.hours - last.hours) / frequency_hours)) : 1
    for (const filter of bank) {
      if (filter.channel.name === 'log_step' && falling > 0.03) filter.next.centre = Number.NaN
      else forecast(filter, moment, before.runs, memory)
    }
  }

  const best = (among: (filter: Filter) => boolean = () => true): Filter | undefined => {
    let found: Filter | undefined
    let least = Number.POSITIVE_INFINITY
    for (const filter of bank) {
      if (!ready(filter) || !among(filter)) continue
      const loss = lossOf(filter)
      if (found && !(loss < least)) continue
      found = filter
      least = loss
    }
    return found
  }

  const foresee = (moment: Moment, per_run: number, row_count: number | undefined): Outlook | undefined => {
    if (asked?.hours !== moment.hours || asked.per_run !== per_run || asked.row_count !== row_count)
      asked = { hours: moment.hours, per_run, row_count, outlook: nameLimits(moment, per_run, row_count) }
    return asked.outlook
  }

  const nameLimits = (moment: Moment, per_run: number, row_count: number | undefined): Outlook | undefined => {
    look(moment)
    const leader = best()
    if (!leader) return undefined
    const reasons: Reason[] = []
    const usual = usualBand(leader, moment, per_run, reasons)
    const limits = { ...usual }
    const core = around(usual.centre, forgivenOf(alarms, moment.hours))
    if (!freshness) {
      const rhymes = rhyming(oddities, moment, rhythm)
      if (rhymes.length && openForRhymes(limits, core, rhymes, moment, !percentage, !percentage)) reasons.push('recurring')
    }
    // An early run may have seen less than a whole step of growth.
    if (!freshness && isEarly(setting, moment.hours - last.hours)) {
      const near = (limits.upper - limits.lower) / 4
      stretchOver(limits, { lower: last.clean - near, upper: last.clean + near })
      stretchOver(core, { lower: last.clean, upper: last.clean })
    }
    if (updates) openForGaps(limits, core, per_run, cautionOf(alarms, moment.hours))
    if (percentage && row_count !== undefined) {
      const reach = binomialReach(usual.centre, row_count, per_run, sampling)
      if (usual.centre + reach > limits.upper || usual.centre - reach < limits.lower) reasons.push('small_sample')
      stretchOver(limits, { lower: usual.centre - reach, upper: usual.centre + reach })
    }
    if (whole) {
      limits.lower = Math.floor(limits.lower + 1e-9)
      limits.upper = Math.ceil(limits.upper - 1e-9)
    }
    limits.lower = freshness ? 0 : within(metric, limits.lower)
    limits.upper = within(metric, limits.upper)
    if (freshness) usual.lower = 0
    usual.lower = Math.min(usual.lower, limits.upper)
    return { usual, limits, core, reasons, follows: leader.follows, integer: whole }
  }

  const usualBand = (leader: Filter, moment: Moment, per_run: number, reasons: Reason[]): Band => {
    const caution = cautionOf(alarms, moment.hours)
    const circumstances = { caution, settled: count >= 2 * warm, trust }
    const band = (filter: Filter) => bandOf(filter, before, metric, per_run, circumstances)
    const usual = band(leader)
    const enough = lossOf(leader) + NEARLY_AS_GOOD
    for (const filter of bank)
      if (filter !== leader && filter.channel === leader.channel && ready(filter) && lossOf(filter) < enough)
        stretchOver(usual, band(filter))
    if (leader.channel.name === 'log') {
      const plain = best((filter) => filter.channel.name === 'plain')
      if (plain) rein(usual, band(plain))
    }
    if (seen[moment.weekend] < Math.max(1, slots / 2)) {
      const aware = best((filter) => filter.weekend_aware)
      if (aware && aware !== leader) stretchOver(usual, band(aware))
    }
    if (!moment.weekend && isHoliday(moment.day)) {
      const { lower } = usual
      forecast(leader, { ...moment, weekday: 0, weekend: 1 }, before.runs, memory)
      stretchOver(usual, band(leader))
      forecast(leader, moment, before.runs, memory)
      if (metric.kind === 'count') usual.lower = Math.min(usual.lower, HOLIDAY_REST * usual.centre)
      if (usual.lower < lower) reasons.push('holiday')
    }
    const { centre } = usual
    stretchOver(usual, around(centre, toleratedOf(alarms, moment.hours, rhythm)))
    const floor = leastWidth(centre, leader)
    stretchOver(usual, { lower: centre - floor, upper: centre + floor })
    // For a total that grows by single rows, a few more at once are chance.
    if (whole && leader.channel.stepwise) usual.upper = Math.max(usual.upper, centre + fewMore(centre - before.value))
    return usual
  }

  /** A noisy logarithm would allow any height, and a percentage has no long tail, so the plain channel bounds both. */
  const rein = (usual: Band, plain: Band): void => {
    const far = percentage ? REIN.percentage : REIN.count
    usual.upper = Math.min(usual.upper, Math.max(usual.centre, plain.centre + far * (plain.upper - plain.centre)))
    if (percentage) usual.lower = Math.max(usual.lower, Math.min(usual.centre, plain.centre - far * (plain.centre - plain.lower)))
  }

  const leastWidth = (centre: number, leader: Filter): number => {
    if (percentage) return unchanged >= (daily ? 25 : 50) ? 0.08 : 0.25
    if (/^(max|min)/.test(setting.metric_type)) return 0.08 * Math.abs(centre)
    // A total that grows with every run and then stops is suspicious; one that often rests is not.
    return leader.channel.name === 'log_step' && unchanged < Math.max(RESTING, slots) ? 0 : 0.003 * Math.abs(centre)
  }

  const openForGaps = (limits: Band, core: Span, per_run: number, caution: number): void => {
    if (!updates || updates.last === undefined) return
    if (updates.gaps.length < 3) {
      if (!daily) limits.upper = Math.max(limits.upper, patienceFor(updates.last))
    } else if (!daily || updatesAreRare(updates, rhythm)) {
      const { usual, longest } = gapLimit(updates, rhythm, per_run, caution)
      core.upper = usual
      limits.upper = longest
    }
  }

  const absorb = ({ moment, x: measured, normal, row_count, suspect }: Run): void => {
    const outlook = foresee(moment, usual_chance, row_count)
    // A deviation explained by few rows raises no alarm and is not learned.
    const excused = outlook?.reasons.includes('small_sample') && !sideOf(measured, outlook.limits)
    const x = excused ? Math.min(outlook!.usual.upper, Math.max(outlook!.usual.lower, measured)) : measured
    const judged = outlook !== undefined && count >= first_runs && !normal
    const side = judged ? sideOf(x, outlook.limits) : 0
    const odd = judged || suspect ? oddness(x, side, outlook?.usual, suspect) : 0
    const held = odd !== 0 && (suspect || count >= warm)
    const accepted = outlook !== undefined && !freshness && !suspect && becomesHabit(habits, rhythm, moment, x, odd, outlook.usual.centre)
    if (outlook) {
      const { centre } = outlook.usual
      for (const filter of bank) if (ready(filter)) teach(filter, moment, x, { odd: odd !== 0, held, accepted, suspect, normal })
      if (odd) keepOddity(oddities, { moment, x, centre })
      const distance = (x - centre) / scaleAt(centre)
      countAlarm(alarms, side, moment.hours, distance)
      if (normal) forgive(alarms, moment.hours, distance)
    }
    if (outlook && !side && row_count !== undefined && percentage) recordSample(sampling, measured, outlook.usual.centre, row_count)
    if (updates) recordFreshness(updates, moment, x, rhythm, outlook?.limits.upper)
    if (!suspect)
      for (const filter of bank) if (Number.isNaN(filter.level) && (count || !filter.channel.stepwise)) start(filter, moment, x, before)

    if (held && odd !== away.side) away.since = moment.hours
    away.runs = held ? (odd === away.side ? away.runs + 1 : 1) : Math.max(0, away.runs - 2)
    away.side = held ? odd : away.runs ? away.side : 0
    let clean = held && !accepted && outlook ? outlook.usual.centre : x
    if (count) falling += ((clean < last.clean ? 1 : 0) - falling) / Math.min(count + 1, daily ? 60 : 400)
    if (settledElsewhere(x)) {
      for (const filter of bank) acceptLevel(filter, new_level_after, count)
      // The recent anomalies were the new level, so they are dropped. A total that was reset may be reset again, so those stay.
      if (!best()?.channel.stepwise) while (oddities.length && oddities.at(-1)!.moment.hours >= away.since) oddities.pop()
      clean = x
      away.runs = 0
      away.side = 0
    }
    unchanged = count && x === last.x ? unchanged + 1 : 0
    seen[moment.weekend]++
    Object.assign(last, { hours: moment.hours, x, clean })
    count++
    looked_at = Number.NaN
    asked = undefined
  }

  /** On which side a value is anomalous: outside the expected band, or not yet half way back from there. */
  const oddness = (x: number, side: number, usual: Band | undefined, suspect: boolean): number => {
    if (!usual) return 0
    const odd = side || sideOf(x, usual)
    if (odd) return odd
    if (suspect) return x > usual.centre ? 1 : -1
    if (!away.side || count < warm) return 0
    const edge = away.side > 0 ? usual.upper : usual.lower
    return away.side * (x - usual.centre) > 0.5 * away.side * (edge - usual.centre) ? away.side : 0
  }

  type Verdict = { odd: boolean; held: boolean; accepted: boolean; suspect: boolean; normal: boolean }

  const teach = (filter: Filter, moment: Moment, x: number, { odd, held, accepted, suspect, normal }: Verdict): void => {
    const z = filter.channel.into(x, before)
    const surprised = suspect || surprise(filter, z) > OWN_SURPRISE
    if ((accepted || normal) && surprised && filter.effects.length) {
      scoreForecast(filter, { x, z, before }, ODD_WEIGHT, patience)
      acceptPhase(filter, moment, z)
      return
    }
    const own = held && surprised
    learn(filter, { moment, x, z, before, odd: own, alarming: odd && surprised, weight: own ? ODD_WEIGHT : 1, memory, patience })
  }

  /** Whether the level has changed permanently: away long enough, returned from the last shift, or a total that was reset and grows again. */
  const settledElsewhere = (x: number): boolean => {
    if (away.runs >= new_level_after) return true
    const leader = away.runs >= 2 ? best() : undefined
    if (!leader) return false
    if (returning(leader, count, 8 * new_level_after)) return true
    if (!leader.channel.stepwise) return false
    const step = leader.channel.into(x, { value: last.x, runs: before.runs })
    return Math.abs(step - leader.next.centre) < OWN_SURPRISE * leader.next.sd
  }

  return { foresee: (moment, per_run, row_count) => (count >= first_runs ? foresee(moment, per_run, row_count) : undefined), absorb }
}
