import { realpath } from 'node:fs/promises'
import { AzureStorage } from './azure-storage.ts'
import { FolderStorage } from './folder-storage.ts'
import { defineLake } from './lake.ts'
import {
  LAKE_AZURE_GRANTS,
  LAKE_AZURE_SETTINGS,
  LAKE_FILES_SETTINGS,
  LAKE_GCS_GRANTS,
  LAKE_GCS_SETTINGS,
  LAKE_S3_GRANTS,
  LAKE_S3_SETTINGS,
  type LakeAzureSettings,
  type LakeFilesSettings,
  type LakeGcsSettings,
  type LakeS3Settings,
} from './lake-settings.ts'
import { openGcs, openS3 } from './s3-access.ts'

export const lakeS3 = defineLake<LakeS3Settings>({
  ...{ name: 'lake_s3', label: 'Delta Lake, Iceberg on S3', settings: LAKE_S3_SETTINGS, grants: LAKE_S3_GRANTS },
  open: openS3,
})

export const lakeGcs = defineLake<LakeGcsSettings>({
  ...{ name: 'lake_gcs', label: 'Delta Lake, Iceberg on Google Cloud Storage', settings: LAKE_GCS_SETTINGS, grants: LAKE_GCS_GRANTS },
  open: openGcs,
})

export const lakeAzure = defineLake<LakeAzureSettings>({
  ...{ name: 'lake_azure', label: 'Delta Lake, Iceberg on Azure', settings: LAKE_AZURE_SETTINGS, grants: LAKE_AZURE_GRANTS },
  open: (context) => new AzureStorage(context),
})

export const lakeFiles = defineLake<LakeFilesSettings>({
  ...{ name: 'lake_files', label: 'Delta Lake, Iceberg in a folder', settings: LAKE_FILES_SETTINGS },
  grants: 'The server reads files in the folder TABLINUM_FILES only, and never writes them.',
  open: async ({ settings }) => new FolderStorage(await realpath(settings.path)),
})
