import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { AWS_REQUIRED, AWS_SETTINGS, type AwsSettings } from '../aws/aws-client.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'

export interface GlueSettings extends AwsSettings, PatternSettings {
  readonly catalog_id?: string
}

export const GLUE_SETTINGS: SettingsSchema = {
  type: 'object',
  required: AWS_REQUIRED,
  properties: {
    ...AWS_SETTINGS,
    catalog_id: { type: 'string', title: 'Catalog ID', description: 'The account of the data catalog, if it is another one.' },
    ...PATTERN_SETTINGS,
  },
}
