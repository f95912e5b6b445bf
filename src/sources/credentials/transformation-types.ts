import { DBT_CLOUD_SETTINGS } from '../connectors/dbt-cloud/dbt-cloud-settings.ts'
import { ARCHIVE_FIELD, CA, DESTINATION, secretField, textField } from './fields.ts'
import { type IntegrationType, settingFields } from './integration-type.ts'

export const TRANSFORMATION_TYPES: readonly IntegrationType[] = [
  {
    type: 'dbt',
    label: 'dbt',
    icon: 'git-branch',
    category: 'transformation',
    pushes_only: false,
    fields: [
      textField('path', 'Path', { ...DESTINATION, help: 'Folder of the artifacts, inside the folder TABLINUM_FILES.' }),
      textField('url', 'URL', { ...DESTINATION, help: 'URL to download the artifacts from.' }),
      secretField('token', 'Token', { help: 'Sent to the URL as a bearer token.' }),
      CA,
      textField('warehouse', 'Warehouse', {
        help: 'ID of the integration the project builds in. Needed when several have tables of the same name.',
      }),
      ARCHIVE_FIELD,
    ],
  },
  {
    type: 'dbt_cloud',
    label: 'dbt Cloud',
    icon: 'git-branch',
    category: 'transformation',
    pushes_only: false,
    fields: settingFields(DBT_CLOUD_SETTINGS),
  },
]
