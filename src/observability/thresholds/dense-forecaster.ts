import {
  type Alarms,
  acceptDeviation,
  countAlarm,
  createAlarms,
  getAcceptedDeviations,
  getToleratedDeviations,
  getWideningFactor,
} from './alarms.ts'
import { computeBand } from './band.ts'
import { chancePerRun } from './budget.ts'
import { isHoliday, type Moment } from './calendar.ts'
import { computeSurprise, type Filter, predictFilter } from './filter.ts'
import { createFilterBank } from './filter-bank.ts'
import { clampToMetric } from './metric-bounds.ts'
import { type Anomaly, findRecurring, recordAnomaly, widenForRecurring } from './recurrence.ts'
import {
  type Band,
  type Forecaster,
  type ForecasterSettings,
  getSide,
  isEarly,
  type ObservedRun,
  type RunForecast,
  type Span,
  type WideningReason,
  widenOver,
} from './run-forecast.ts'
import { binomialReach, createSampling, recordSample } from './sample.ts'
import { becomesSeasonal, createSeasonalPatterns } from './seasonal-patterns.ts'
import {
  acceptAsCalendarEffect,
  acceptLevel,
  computeLoss,
  isReturningToLevelBeforeShift,
  scoreForecast,
  startFilter,
  updateFilter,
} from './update-filter.ts'
import { computeGapLimit, createUpdates, getWeekendPatience, recordFreshness, updatesAreRare } from './updates.ts'
import { type PreviousRun, profileSeries } from './value-transforms.ts'

const NEAR_BEST_LOSS = 0.02 // nats: filters this close to the best are also used
const ANOMALY_SD = 2.5 // sd beyond which a filter itself treats a value as anomalous
const ANOMALY_WEIGHT = 0.25
const TOLERATED_MARGIN = 1.15
const MAX_LOG_WIDTH = { percentage: 1.5, count: 5 } // times the width of the plain filters
const REST_RUNS = 3 // runs without a change, and at least one day
const HOLIDAY_REST = 0.3 // of the expected count

const smallGrowth = (step: number): number => 2 + 2 * Math.sqrt(Math.max(0, step))

type Pace = { readonly first_runs: number; readonly warm: number }

/** Forecasts values for which zero is not special, using the best of several candidate filters. */
export const createDenseForecaster = (
  settings: ForecasterSettings,
  values: readonly number[],
  stepwise: boolean,
  pace: Pace,
): Forecaster => {
  const { metric, rhythm } = settings
  const { daily, slots, frequency_hours } = rhythm
  const { first_runs, warm } = pace
  const usual_chance = chancePerRun(rhythm)
  const percentage = metric.kind === 'percentage'
  const freshness = metric.kind === 'freshness'
  // Memory, in runs, of the noise and of the filter scores.
  const memory = daily ? 40 : Math.min(120, Math.max(40, 14 * slots))
  const discount = daily ? 0.965 : Math.max(0.965, 0.992 ** frequency_hours)
  const allowance = daily ? 7 : frequency_hours >= 6 ? 4 * slots : 2 * slots
  const new_level_after = Math.max(4, Math.round(0.7 * allowance))

  const trust = daily ? 1 : 1.25

  const profile = profileSeries(metric, values, stepwise)
  const whole = profile.integer && !percentage // a percentage that was always 0 or 100 may become fractional
  const bank = createFilterBank(profile, rhythm)
  const alarms: Alarms = createAlarms()
  const patterns = createSeasonalPatterns(rhythm)
  const updates = freshness ? createUpdates() : undefined
  const anomalies: Anomaly[] = []
  const sampling = createSampling()
  const seen: [number, number] = [0, 0]
  const last = { hours: Number.NaN, x: Number.NaN, clean: Number.NaN }
  const away = { runs: 0, side: 0, since: 0 }
  const before: PreviousRun = { value: Number.NaN, runs: 1 }
  let count = 0
  let falling = 0
  let unchanged = 0
  let predicted_at = Number.NaN
  /** The last forecast: predicting and then observing a run needs the same one twice. */
  let cached: { hours: number; per_run: number; row_count: number | undefined; runForecast: RunForecast | undefined } | undefined

  const ready = (filter: Filter) => !Number.isNaN(filter.next.centre)
  const scaleAt = (centre: number) => Math.max(Math.abs(centre), profile.size, 1e-9)

  const around = (centre: number, { up, down }: { up: number; down: number }): Span => {
    const reach = TOLERATED_MARGIN * scaleAt(centre)
    return { lower: centre - reach * down, upper: centre + reach * up }
  }

  /** Updates the prediction of every filter. */
  const predictAll = (moment: Moment): void => {
    if (predicted_at === moment.hours) return
    predicted_at = moment.hours
    before.value = last.clean
    before.runs = count ? Math.max(1, Math.round((moment.hours - last.hours) / frequency_hours)) : 1
    for (const filter of bank) {
      if (filter.transform.name === 'log_step' && falling > 0.03) filter.next.centre = Number.NaN
      else predictFilter(filter, moment, before.runs, memory)
    }
  }

  const best = (among: (filter: Filter) => boolean = () => true): Filter | undefined => {
    let found: Filter | undefined
    let least = Number.POSITIVE_INFINITY
    for (const filter of bank) {
      if (!ready(filter) || !among(filter)) continue
      const loss = computeLoss(filter)
      if (found && !(loss < least)) continue
      found = filter
      least = loss
    }
    return found
  }

  const forecastRun = (moment: Moment, per_run: number, row_count: number | undefined): RunForecast | undefined => {
    if (cached?.hours !== moment.hours || cached.per_run !== per_run || cached.row_count !== row_count)
      cached = { hours: moment.hours, per_run, row_count, runForecast: computeForecast(moment, per_run, row_count) }
    return cached.runForecast
  }

  const computeForecast = (moment: Moment, per_run: number, row_count: number | undefined): RunForecast | undefined => {
    predictAll(moment)
    const leader = best()
    if (!leader) return undefined
    const reasons: WideningReason[] = []
    const usual = computeUsualBand(leader, moment, per_run, reasons)
    const limits = { ...usual }
    const core = around(usual.centre, getAcceptedDeviations(alarms, moment.hours))
    if (!freshness) {
      const recurring = findRecurring(anomalies, moment, rhythm)
      if (recurring.length && widenForRecurring(limits, core, recurring, moment, !percentage, !percentage)) reasons.push('recurring')
    }
    // An early run may have seen less than a whole step of growth.
    if (!freshness && isEarly(settings, moment.hours - last.hours)) {
      const near = (limits.upper - limits.lower) / 4
      widenOver(limits, { lower: last.clean - near, upper: last.clean + near })
      widenOver(core, { lower: last.clean, upper: last.clean })
    }
    if (updates) widenForGaps(limits, core, per_run, getWideningFactor(alarms, moment.hours))
    if (percentage && row_count !== undefined) {
      const reach = binomialReach(usual.centre, row_count, per_run, sampling)
      if (usual.centre + reach > limits.upper || usual.centre - reach < limits.lower) reasons.push('small_sample')
      widenOver(limits, { lower: usual.centre - reach, upper: usual.centre + reach })
    }
    if (whole) {
      limits.lower = Math.floor(limits.lower + 1e-9)
      limits.upper = Math.ceil(limits.upper - 1e-9)
    }
    limits.lower = freshness ? 0 : clampToMetric(metric, limits.lower)
    limits.upper = clampToMetric(metric, limits.upper)
    if (freshness) usual.lower = 0
    usual.lower = Math.min(usual.lower, limits.upper)
    return { usual, limits, core, reasons, follows: leader.follows, integer: whole }
  }

  const computeUsualBand = (leader: Filter, moment: Moment, per_run: number, reasons: WideningReason[]): Band => {
    const wideningFactor = getWideningFactor(alarms, moment.hours)
    const circumstances = { wideningFactor, settled: count >= 2 * warm, trust }
    const band = (filter: Filter) => computeBand(filter, before, metric, per_run, circumstances)
    const usual = band(leader)
    const enough = computeLoss(leader) + NEAR_BEST_LOSS
    for (const filter of bank)
      if (filter !== leader && filter.transform === leader.transform && ready(filter) && computeLoss(filter) < enough)
        widenOver(usual, band(filter))
    if (leader.transform.name === 'log') {
      const plain = best((filter) => filter.transform.name === 'plain')
      if (plain) boundByPlain(usual, band(plain))
    }
    if (seen[moment.weekend] < Math.max(1, slots / 2)) {
      const aware = best((filter) => filter.weekend_aware)
      if (aware && aware !== leader) widenOver(usual, band(aware))
    }
    if (!moment.weekend && isHoliday(moment.day)) {
      const { lower } = usual
      predictFilter(leader, { ...moment, weekday: 0, weekend: 1 }, before.runs, memory)
      widenOver(usual, band(leader))
      predictFilter(leader, moment, before.runs, memory)
      if (metric.kind === 'count') usual.lower = Math.min(usual.lower, HOLIDAY_REST * usual.centre)
      if (usual.lower < lower) reasons.push('holiday')
    }
    const { centre } = usual
    widenOver(usual, around(centre, getToleratedDeviations(alarms, moment.hours, rhythm)))
    const floor = computeMinWidth(centre, leader)
    widenOver(usual, { lower: centre - floor, upper: centre + floor })
    // For a total that grows by single rows, a few more at once are chance.
    if (whole && leader.transform.stepwise) usual.upper = Math.max(usual.upper, centre + smallGrowth(centre - before.value))
    return usual
  }

  /** A noisy logarithm would allow any height, and a percentage has no long tail, so the plain transform bounds both. */
  const boundByPlain = (usual: Band, plain: Band): void => {
    const far = percentage ? MAX_LOG_WIDTH.percentage : MAX_LOG_WIDTH.count
    usual.upper = Math.min(usual.upper, Math.max(usual.centre, plain.centre + far * (plain.upper - plain.centre)))
    if (percentage) usual.lower = Math.max(usual.lower, Math.min(usual.centre, plain.centre - far * (plain.centre - plain.lower)))
  }

  const computeMinWidth = (centre: number, leader: Filter): number => {
    if (percentage) return unchanged >= (daily ? 25 : 50) ? 0.08 : 0.25
    if (/^(max|min)/.test(settings.metric_type)) return 0.08 * Math.abs(centre)
    // A total that grows with every run and then stops is suspicious; one that often rests is not.
    return leader.transform.name === 'log_step' && unchanged < Math.max(REST_RUNS, slots) ? 0 : 0.003 * Math.abs(centre)
  }

  const widenForGaps = (limits: Band, core: Span, per_run: number, wideningFactor: number): void => {
    if (!updates || updates.last === undefined) return
    if (updates.gaps.length < 3) {
      if (!daily) limits.upper = Math.max(limits.upper, getWeekendPatience(updates.last))
    } else if (!daily || updatesAreRare(updates, rhythm)) {
      const { usual, longest } = computeGapLimit(updates, rhythm, per_run, wideningFactor)
      core.upper = usual
      limits.upper = longest
    }
  }

  const observeRun = ({ moment, x: measured, normal, row_count, suspect }: ObservedRun): void => {
    const runForecast = forecastRun(moment, usual_chance, row_count)
    // A deviation explained by few rows raises no alarm and is not learned.
    const excused = runForecast?.reasons.includes('small_sample') && !getSide(measured, runForecast.limits)
    const x = excused ? Math.min(runForecast!.usual.upper, Math.max(runForecast!.usual.lower, measured)) : measured
    const judged = runForecast !== undefined && count >= first_runs && !normal
    const side = judged ? getSide(x, runForecast.limits) : 0
    const odd = judged || suspect ? findAnomalySide(x, side, runForecast?.usual, suspect) : 0
    const held = odd !== 0 && (suspect || count >= warm)
    const accepted =
      runForecast !== undefined && !freshness && !suspect && becomesSeasonal(patterns, rhythm, moment, x, odd, runForecast.usual.centre)
    if (runForecast) {
      const { centre } = runForecast.usual
      for (const filter of bank) if (ready(filter)) teachFilter(filter, moment, x, { odd: odd !== 0, held, accepted, suspect, normal })
      if (odd) recordAnomaly(anomalies, { moment, x, centre })
      const distance = (x - centre) / scaleAt(centre)
      countAlarm(alarms, side, moment.hours, distance)
      if (normal) acceptDeviation(alarms, moment.hours, distance)
    }
    if (runForecast && !side && row_count !== undefined && percentage) recordSample(sampling, measured, runForecast.usual.centre, row_count)
    if (updates) recordFreshness(updates, moment, x, rhythm, runForecast?.limits.upper)
    if (!suspect)
      for (const filter of bank)
        if (Number.isNaN(filter.level) && (count || !filter.transform.stepwise)) startFilter(filter, moment, x, before)

    if (held && odd !== away.side) away.since = moment.hours
    away.runs = held ? (odd === away.side ? away.runs + 1 : 1) : Math.max(0, away.runs - 2)
    away.side = held ? odd : away.runs ? away.side : 0
    let clean = held && !accepted && runForecast ? runForecast.usual.centre : x
    if (count) falling += ((clean < last.clean ? 1 : 0) - falling) / Math.min(count + 1, daily ? 60 : 400)
    if (hasNewLevel(x)) {
      for (const filter of bank) acceptLevel(filter, new_level_after, count)
      // The recent anomalies were the new level, so they are dropped. A total that was reset may be reset again, so those stay.
      if (!best()?.transform.stepwise) while (anomalies.length && anomalies.at(-1)!.moment.hours >= away.since) anomalies.pop()
      clean = x
      away.runs = 0
      away.side = 0
    }
    unchanged = count && x === last.x ? unchanged + 1 : 0
    seen[moment.weekend]++
    Object.assign(last, { hours: moment.hours, x, clean })
    count++
    predicted_at = Number.NaN
    cached = undefined
  }

  /** On which side a value is anomalous: outside the expected band, or not yet half way back from there. */
  const findAnomalySide = (x: number, side: number, usual: Band | undefined, suspect: boolean): number => {
    if (!usual) return 0
    const odd = side || getSide(x, usual)
    if (odd) return odd
    if (suspect) return x > usual.centre ? 1 : -1
    if (!away.side || count < warm) return 0
    const edge = away.side > 0 ? usual.upper : usual.lower
    return away.side * (x - usual.centre) > 0.5 * away.side * (edge - usual.centre) ? away.side : 0
  }

  type Verdict = { odd: boolean; held: boolean; accepted: boolean; suspect: boolean; normal: boolean }

  const teachFilter = (filter: Filter, moment: Moment, x: number, { odd, held, accepted, suspect, normal }: Verdict): void => {
    const z = filter.transform.into(x, before)
    const surprised = suspect || computeSurprise(filter, z) > ANOMALY_SD
    if ((accepted || normal) && surprised && filter.effects.length) {
      scoreForecast(filter, { x, z, before }, ANOMALY_WEIGHT, discount)
      acceptAsCalendarEffect(filter, moment, z)
      return
    }
    const own = held && surprised
    updateFilter(filter, { moment, x, z, before, odd: own, alarming: odd && surprised, weight: own ? ANOMALY_WEIGHT : 1, memory, discount })
  }

  /** Whether the level has changed permanently: away long enough, returned from the last shift, or a total that was reset and grows again. */
  const hasNewLevel = (x: number): boolean => {
    if (away.runs >= new_level_after) return true
    const leader = away.runs >= 2 ? best() : undefined
    if (!leader) return false
    if (isReturningToLevelBeforeShift(leader, count, 8 * new_level_after)) return true
    if (!leader.transform.stepwise) return false
    const step = leader.transform.into(x, { value: last.x, runs: before.runs })
    return Math.abs(step - leader.next.centre) < ANOMALY_SD * leader.next.sd
  }

  return {
    forecast: (moment, per_run, row_count) => (count >= first_runs ? forecastRun(moment, per_run, row_count) : undefined),
    observe: observeRun,
  }
}
