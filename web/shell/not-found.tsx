import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { buttonClass } from '../ui/button.tsx'
import { useTitle } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'

/** Shown for unknown URLs. */
export const NotFound = () => {
  useTitle(t('Page not found'))
  return (
    <>
      <h1 className="sr-only">{t('Page not found')}</h1>
      <EmptyState
        icon={Compass}
        title={t('Page not found')}
        action={
          <Link to="/" className={buttonClass('primary')}>
            {t('Home')}
          </Link>
        }
      >
        {t('Check the URL.')}
      </EmptyState>
    </>
  )
}
