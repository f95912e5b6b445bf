import { ARCHIVE_FIELD, DESTINATION, FUNCTIONS_FIELD, NAME_FIELDS, REQUIRED, ROW_LIMIT, secretField, textField } from './fields.ts'
import type { IntegrationType } from './integration-type.ts'

/** Connectors that an operator registered. */
export const CONNECTOR_TYPES: readonly IntegrationType[] = [
  {
    type: 'connector',
    label: 'Your own connector',
    icon: 'plug',
    category: 'connector',
    pushes_only: false,
    fields: [
      textField('connector', 'Connector', {
        ...REQUIRED,
        ...DESTINATION,
        help: 'The name under which an operator registered it with TABLINUM_CONNECTORS.',
      }),
      textField('settings', 'Settings', { ...DESTINATION, multiline: true, help: 'JSON, e.g. {"url": "https://example.com"}.' }),
      secretField('secrets', 'Secrets', { multiline: true, help: 'JSON with the settings that are secret, e.g. {"token": "…"}.' }),
      ROW_LIMIT,
      FUNCTIONS_FIELD,
      ...NAME_FIELDS,
      ARCHIVE_FIELD,
    ],
  },
]
