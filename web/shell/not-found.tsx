import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { buttonClass } from '../ui/button.tsx'
import { useTitle } from '../ui/page.tsx'
import { Empty } from '../ui/states.tsx'
import { t } from '../words/words.ts'

/** Shown for unknown URLs. */
export const NotFound = () => {
  useTitle(t('Page not found'))
  return (
    <>
      <h1 className="sr-only">{t('Page not found')}</h1>
      <Empty
        icon={Compass}
        title={t('Page not found')}
        action={
          <Link to="/" className={buttonClass('primary')}>
            {t('Home')}
          </Link>
        }
      >
        {t('Check the URL.')}
      </Empty>
    </>
  )
}
