/** How serious incidents of a monitor are, least serious first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]
export const DEFAULT_SEVERITY: Severity = 'medium'
