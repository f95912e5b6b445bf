import type { SettingsSchema } from '../../../../connector/src/protocol.ts'
import { AWS_REQUIRED, AWS_SETTINGS, type AwsSettings } from '../aws/aws-client.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'

export interface DynamodbSettings extends AwsSettings, PatternSettings {
  readonly sample_size: number
}

export const DYNAMODB_SETTINGS: SettingsSchema = {
  type: 'object',
  required: AWS_REQUIRED,
  properties: {
    ...AWS_SETTINGS,
    sample_size: {
      type: 'integer',
      title: 'Sample size',
      description: 'How many items of a table are read to find its attributes, at most 1,000. With 0 only keys are known.',
      default: 100,
    },
    ...PATTERN_SETTINGS,
  },
}
