import type { SettingsSchema } from '../../../connector/src/protocol.ts'
import { ARCHIVE_FIELD, type CredentialField, field, NAME_FIELDS } from './fields.ts'

/** A type of integration, as data: forms are rendered from it and request bodies are checked against it. */
export interface IntegrationType {
  readonly type: string
  readonly label: string
  readonly icon: string
  readonly category: 'push' | 'database' | 'warehouse' | 'transformation' | 'bi' | 'orchestration' | 'connector'
  /** Sends metadata through the API and has no connection. */
  readonly pushes_only: boolean
  readonly fields: readonly CredentialField[]
}

const KINDS = { string: 'text', integer: 'number', boolean: 'boolean' } as const

/** The settings of a connector that was written with the kit. */
export const settingFields = ({ properties, required = [] }: SettingsSchema): CredentialField[] => [
  ...Object.entries(properties).map(
    ([name, { type, title, description = null, default: value = null, secret = false, destination = false, multiline = false }]) =>
      field(KINDS[type], name, title, {
        required: required.includes(name),
        help: description,
        default: value,
        secret,
        destination,
        multiline,
      }),
  ),
  ARCHIVE_FIELD,
]

export const biType = (type: string, label: string, settings: SettingsSchema): IntegrationType => ({
  type,
  label,
  icon: 'layout-dashboard',
  category: 'bi',
  pushes_only: false,
  fields: [...settingFields(settings).slice(0, -1), ...NAME_FIELDS, ARCHIVE_FIELD],
})

export const orchestrationType = (type: string, label: string, settings: SettingsSchema): IntegrationType => ({
  ...biType(type, label, settings),
  icon: 'workflow',
  category: 'orchestration',
})

/** A store that is read with the kit: it has no SQL of its own. */
export const storeType = (
  type: string,
  label: string,
  category: IntegrationType['category'],
  settings: SettingsSchema,
): IntegrationType => ({
  ...biType(type, label, settings),
  icon: category === 'warehouse' ? 'warehouse' : 'database',
  category,
  fields: settingFields(settings), // patterns among them: what they leave out is not read
})
