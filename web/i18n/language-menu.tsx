import { Languages } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { LANGUAGES, type Language, language } from './language.ts'
import { setLanguage } from './set-language.ts'

/**
 * Language menu, each language by its own name. Not a select: selecting reloads the page, and a select would do so at the first arrow key.
 */
export const LanguageMenu = ({ label, quiet = false }: { label: string; quiet?: boolean }) => (
  <Menu
    label={label}
    items={Object.entries(LANGUAGES).map(([tag, name]) => ({
      label: name,
      lang: tag,
      checked: tag === language,
      onSelect: () => setLanguage(tag as Language),
    }))}
    trigger={(props) => (
      <Button {...props} small={quiet} look={quiet ? 'quiet' : undefined} icon={Languages} aria-label={`${label}: ${LANGUAGES[language]}`}>
        {LANGUAGES[language]}
      </Button>
    )}
  />
)
