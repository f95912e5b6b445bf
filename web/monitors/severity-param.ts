import type { Monitor } from './queries.ts'

/** How serious incidents of a monitor are. */
export type Severity = Monitor['severity']

const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high', 'critical']

/** A severity from a URL or a timeline. In a file of its own, because routes are loaded before the components of pages. */
export const parseSeverity = (value: unknown): Severity | undefined => SEVERITIES.find((each) => each === value)
