import type { ComponentProps } from 'react'
import { Select } from '../ui/field.tsx'
import { chooseLanguage } from './choose-language.ts'
import { LANGUAGES, type Language, language } from './language.ts'

/** The languages, each in its own words: who does not understand this page finds theirs. The label comes from where it stands. */
export const LanguageChoice = (props: Omit<ComponentProps<typeof Select>, 'value' | 'onChange' | 'children'>) => (
  <Select {...props} value={language} onChange={({ target }) => chooseLanguage(target.value as Language)}>
    {Object.entries(LANGUAGES).map(([tag, name]) => (
      <option key={tag} value={tag} lang={tag}>
        {name}
      </option>
    ))}
  </Select>
)
