import type { Settings, SettingsSchema } from './messages.ts'

/** What is wrong with the settings, by name. */
export const findSettingProblems = ({ properties, required = [] }: SettingsSchema, settings: Settings): string[] => [
  ...required.flatMap((name) => (settings[name] === undefined ? [`\`${name}\` is required.`] : [])),
  ...Object.entries(settings).flatMap(([name, value]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!schema) return [`\`${name}\` is unknown. Settings: ${Object.keys(properties).join(', ')}.`]
    const fits = schema.type === 'integer' ? Number.isSafeInteger(value) : typeof value === schema.type
    return fits ? [] : [`\`${name}\` must be ${{ string: 'text', integer: 'a whole number', boolean: 'true or false' }[schema.type]}.`]
  }),
]
