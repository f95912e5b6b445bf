import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { AWS_REQUIRED, AWS_SETTINGS, type AwsSettings } from '../aws/aws-settings.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'

export interface GlueSettings extends AwsSettings, PatternSettings {
  readonly catalog_id?: string
}

export const GLUE_SETTINGS: SettingsSchema = {
  type: 'object',
  required: AWS_REQUIRED,
  properties: {
    ...AWS_SETTINGS,
    catalog_id: {
      type: 'string',
      title: 'Catalog ID',
      description: 'The account of the data catalog, if it is not that of the credentials.',
    },
    ...PATTERN_SETTINGS,
  },
}

export const GLUE_GRANTS =
  'An IAM user with glue:GetDatabases and glue:GetTables on the catalog, its databases and tables. With Lake Formation: DESCRIBE on them.'
