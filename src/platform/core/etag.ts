/** A record's ETag: its version if it has one, otherwise the time of its last write. */
export const computeEtag = (record: { version: number } | { updated_at: string }): string =>
  'version' in record ? `"v${record.version}"` : `"t${Date.parse(record.updated_at).toString(36)}"`

export const hasEtag = (value: unknown): value is { version: number } | { updated_at: string } =>
  typeof value === 'object' && value !== null && 'id' in value && ('version' in value || 'updated_at' in value)
