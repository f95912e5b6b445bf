import type { SettingSchema, SettingsSchema } from '../../../../connector/src/protocol.ts'
import { AWS_REQUIRED, AWS_SETTINGS, type AwsSettings } from '../aws/aws-settings.ts'
import { HTTP_SETTINGS, type HttpSettings } from '../bi/http-settings.ts'
import { PATTERN_SETTINGS, type PatternSettings } from '../stores/settings.ts'

const BUCKET: SettingSchema = { type: 'string', title: 'Bucket', description: 'The name only, e.g. lake.' }
const PREFIX: SettingSchema = {
  type: 'string',
  title: 'Prefix',
  description: 'The folder below which tables are found, e.g. warehouse/sales. Leave blank for everything.',
}

export interface LakeS3Settings extends AwsSettings, PatternSettings {
  readonly bucket: string
  readonly prefix?: string
}

export const LAKE_S3_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['bucket', ...AWS_REQUIRED],
  properties: { bucket: BUCKET, prefix: PREFIX, ...AWS_SETTINGS, ...PATTERN_SETTINGS },
}

export const LAKE_S3_GRANTS = `{"Version": "2012-10-17", "Statement": [
  {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::lake"},
  {"Effect": "Allow", "Action": "s3:GetObject", "Resource": ["arn:aws:s3:::lake/*/_delta_log/*", "arn:aws:s3:::lake/*/metadata/*"]}]}`

export interface LakeGcsSettings extends HttpSettings, PatternSettings {
  readonly bucket: string
  readonly prefix?: string
  readonly service_account?: string
  readonly access_key_id?: string
  readonly secret_access_key?: string
  readonly url: string
}

export const LAKE_GCS_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['bucket'],
  properties: {
    bucket: BUCKET,
    prefix: PREFIX,
    service_account: { type: 'string', title: 'Service account', description: 'The JSON key file.', secret: true, multiline: true },
    access_key_id: { type: 'string', title: 'Access key ID', description: 'The ID of an HMAC key, instead of a service account.' },
    secret_access_key: { type: 'string', title: 'Secret access key', secret: true },
    url: {
      type: 'string',
      title: 'URL',
      description: 'The address of the storage.',
      default: 'https://storage.googleapis.com',
      destination: true,
    },
    ...HTTP_SETTINGS,
    ...PATTERN_SETTINGS,
  },
}

export const LAKE_GCS_GRANTS =
  'The role Storage Object Viewer (storage.objects.list and storage.objects.get) on the bucket, for a service account. Only logs and metadata of tables are read, no data files.'

export interface LakeAzureSettings extends HttpSettings, PatternSettings {
  readonly url: string
  readonly container: string
  readonly prefix?: string
  readonly sas_token?: string
  readonly account?: string
  readonly account_key?: string
}

export const LAKE_AZURE_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['url', 'container'],
  properties: {
    url: {
      type: 'string',
      title: 'URL',
      description: 'The address of the storage account, e.g. https://example.blob.core.windows.net.',
      destination: true,
    },
    container: { type: 'string', title: 'Container', description: 'The name only, e.g. lake.' },
    prefix: PREFIX,
    sas_token: { type: 'string', title: 'SAS token', description: 'With the permissions Read and List.', secret: true },
    account_key: { type: 'string', title: 'Account key', description: 'Instead of a SAS token. It can do everything.', secret: true },
    account: {
      type: 'string',
      title: 'Account',
      description: 'The name of the storage account. Needed with a key if the URL does not begin with it.',
    },
    ...HTTP_SETTINGS,
    ...PATTERN_SETTINGS,
  },
}

export const LAKE_AZURE_GRANTS =
  'A SAS token of the container with the permissions Read and List (sp=rl), best from a stored access policy, so that it can be revoked. Only logs and metadata of tables are read, no data files.'

export interface LakeFilesSettings extends PatternSettings {
  readonly path: string
}

export const LAKE_FILES_SETTINGS: SettingsSchema = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string', title: 'Path', description: 'Path inside the folder TABLINUM_FILES.', destination: true },
    ...PATTERN_SETTINGS,
  },
}
