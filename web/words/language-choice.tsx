import { Languages } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { chooseLanguage } from './choose-language.ts'
import { LANGUAGES, type Language, language } from './language.ts'

/**
 * The languages, each in its own words: who does not understand this page finds theirs. A menu, since to choose loads the page anew, and a
 * list would do that at the first arrow key.
 */
export const LanguageChoice = ({ label, quiet = false }: { label: string; quiet?: boolean }) => (
  <Menu
    label={label}
    items={Object.entries(LANGUAGES).map(([tag, name]) => ({
      label: name,
      lang: tag,
      checked: tag === language,
      onSelect: () => chooseLanguage(tag as Language),
    }))}
    trigger={(props) => (
      <Button {...props} small={quiet} look={quiet ? 'quiet' : undefined} icon={Languages} aria-label={`${label}: ${LANGUAGES[language]}`}>
        {LANGUAGES[language]}
      </Button>
    )}
  />
)
