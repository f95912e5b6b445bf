import { Type } from 'typebox'

/**
 * A text of the server that the web app can show in another language: an English template, which is the key of its translations, and the
 * values of its placeholders; see docs/decisions/0032-translatable-texts-of-the-server.md.
 */
export interface Translatable {
  readonly template: string
  readonly values: Readonly<Record<string, TranslatableValue>>
}
export type TranslatableValue = string | number | Translatable | readonly (string | Translatable)[]

export const Translatable = Type.Unsafe<Translatable>(
  Type.Object(
    {
      template: Type.String({ description: 'English, with placeholders: `{who} added {n:# tag|# tags}`.' }),
      values: Type.Record(Type.String(), Type.Unknown(), {
        description: 'By placeholder: a text, a number, another such template, or a list of these.',
      }),
    },
    { title: 'Translatable', description: 'The same text as a template with its values, for translation.' },
  ),
)

/** Names of the placeholders of a template: `{who} added {n:# tag|# tags}` → `who`, `n`. */
type Placeholders<S extends string> = S extends `${string}{${infer Slot}}${infer Rest}`
  ? (Slot extends `${infer Name}:${string}` ? Name : Slot) | Placeholders<Rest>
  : never

/** `npm run messages` finds the templates by the name of this function. */
export const translatable = <const S extends string>(
  template: S,
  ...[values]: [Placeholders<S>] extends [never] ? [] : [Readonly<Record<Placeholders<S>, TranslatableValue>>]
): Translatable => ({ template, values: values ?? {} })

const PLACEHOLDER = /\{(\w+)(?::([^}]*))?\}/

/** Splits a template at its placeholders: text and placeholders alternate. */
export const splitTemplate = <T>(template: string, render: (name: string, forms: string | undefined) => T): (string | T)[] => {
  const parts = template.split(PLACEHOLDER)
  const all: (string | T)[] = []
  for (let i = 0; i < parts.length; i += 3) {
    all.push(parts[i]!)
    if (i + 1 < parts.length) all.push(render(parts[i + 1]!, parts[i + 2]))
  }
  return all
}

/** The text in English. */
export const formatText = (text: string | Translatable): string =>
  typeof text === 'string' ? text : splitTemplate(text.template, (name, forms) => formatValue(text.values[name]!, forms)).join('')

export const formatValue = (value: TranslatableValue, forms?: string): string => {
  if (typeof value === 'number') {
    const [one = '#', other = one] = forms?.split('|') ?? []
    return (value === 1 ? one : other).replace('#', value.toLocaleString('en-US', { maximumFractionDigits: 6 }))
  }
  if (Array.isArray(value)) return new Intl.ListFormat('en-GB').format(value.map(formatText))
  return formatText(value as string | Translatable)
}
