import { SEVERITIES, type Severity } from '../../platform/core/severity.ts'

/** Which rules apply to an incident or a schema change. Pure. */
export const RULE_EVENTS = ['incident', 'schema_changed'] as const
export type RuleEvent = (typeof RULE_EVENTS)[number]

/** An empty list matches everything; of a list, one is enough. */
export interface RuleConditions {
  readonly events: readonly RuleEvent[]
  readonly min_severity: Severity | null
  readonly tags: readonly string[]
  readonly teams: readonly string[]
  /** Users and groups. */
  readonly owners: readonly string[]
  readonly below: readonly string[]
  /** Also resources of closed teams that `teams` does not name. */
  readonly include_restricted: boolean
}

export interface Rule extends RuleConditions {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly channels: readonly string[]
  /** Users, groups and teams. */
  readonly recipients: readonly string[]
  readonly continues: boolean
}

/** What a rule is applied to. A column has the tags, teams and owners of its table too. */
export interface RuleSubject {
  readonly event: RuleEvent
  /** Schema changes have none. */
  readonly severity: string | null
  readonly tags: readonly string[]
  readonly teams: readonly string[]
  readonly closed_teams: readonly string[]
  readonly owners: readonly string[]
  /** The resource and everything above it. */
  readonly path: readonly string[]
}

export const CONDITIONS = ['event', 'severity', 'restricted', 'tag', 'team', 'owner', 'location'] as const
export type Condition = (typeof CONDITIONS)[number]

/** The first condition that is not met; undefined if all are. */
export const findFailedCondition = (rule: RuleConditions, subject: RuleSubject): Condition | undefined => {
  const meets = (required: readonly string[], actual: readonly string[]) =>
    required.length === 0 || required.some((id) => actual.includes(id))
  if (!rule.events.includes(subject.event)) return 'event'
  if (rule.min_severity && rankSeverity(subject.severity) < rankSeverity(rule.min_severity)) return 'severity'
  if (subject.closed_teams.length > 0 && !rule.include_restricted && !rule.teams.some((id) => subject.closed_teams.includes(id)))
    return 'restricted'
  if (!meets(rule.tags, subject.tags)) return 'tag'
  if (!meets(rule.teams, subject.teams)) return 'team'
  if (!meets(rule.owners, subject.owners)) return 'owner'
  if (!meets(rule.below, subject.path)) return 'location'
  return undefined
}

const rankSeverity = (severity: string | null): number => (SEVERITIES as readonly (string | null)[]).indexOf(severity)

export interface RuleDecision<R extends Rule = Rule> {
  readonly rule: R
  readonly result: 'matched' | 'not_matched' | 'not_reached' | 'disabled'
  /** Why it did not match. */
  readonly failed?: Condition
}

/** Goes through the rules in order. The first that matches decides, unless it continues with the next. */
export const decideRules = <R extends Rule>(rules: readonly R[], subject: RuleSubject): RuleDecision<R>[] => {
  let decided = false
  return rules.map((rule) => {
    if (!rule.enabled) return { rule, result: 'disabled' }
    if (decided) return { rule, result: 'not_reached' }
    const failed = findFailedCondition(rule, subject)
    if (failed) return { rule, result: 'not_matched', failed }
    decided = !rule.continues
    return { rule, result: 'matched' }
  })
}
