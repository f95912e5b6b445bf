import type { SettingSchema } from '../../../../connector/src/protocol.ts'

/** Settings that several stores have. */
export const PATTERN_SETTINGS = {
  include: {
    type: 'string',
    title: 'Include',
    description: 'Comma-separated patterns, e.g. public.*, *.tmp_*. Leave blank to include everything.',
  },
  exclude: { type: 'string', title: 'Exclude', description: 'Comma-separated patterns, e.g. public.*, *.tmp_*.' },
} as const satisfies Record<string, SettingSchema>

export interface PatternSettings {
  readonly include?: string
  readonly exclude?: string
}
