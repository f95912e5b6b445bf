export const INCIDENT_STATUSES = ['active', 'acknowledged', 'resolved'] as const
