import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { t } from '../i18n/messages.ts'
import { buttonClass } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { Page } from '../ui/page.tsx'
import { QueryView, Skeleton } from '../ui/states.tsx'
import { Groups } from './groups.tsx'
import { NumberCards } from './number-cards.tsx'
import { buildCsvUrl, insightsQuery } from './queries.ts'
import { ScopePicker } from './scope-picker.tsx'

const route = getRouteApi('/insights')

/** How well the catalog is documented, owned, used and trusted, now and over 90 days. */
export const InsightsPage = () => {
  const address = route.useSearch()
  const navigate = useNavigate({ from: '/insights' })
  const by = address.by ?? 'integration'
  return (
    <Page
      title={t('Insights')}
      about={t('Documentation, ownership, health and usage of what you can see, without archived resources.')}
      actions={
        <Menu
          label={t('Download as CSV')}
          trigger={(props) => (
            <button type="button" {...props} className={buttonClass()}>
              <Download aria-hidden size={15} /> {t('Export CSV')}
            </button>
          )}
          align="end"
          items={[
            { label: t('Numbers'), onSelect: () => location.assign(buildCsvUrl(address, '/insights')) },
            { label: t('Trends'), onSelect: () => location.assign(buildCsvUrl(address, '/insights/trends')) },
            { label: t('Comparison'), onSelect: () => location.assign(buildCsvUrl(address, '/insights/groups', by)) },
          ]}
        />
      }
    >
      <ScopePicker address={address} onChange={(scope) => void navigate({ search: { by: address.by, ...scope } })} />
      <QueryView of={useQuery(insightsQuery(address))} loading={<Skeleton lines={8} />}>
        {(insights) => <NumberCards of={insights} address={address} />}
      </QueryView>
      <Groups address={address} by={by} onBy={(next) => void navigate({ search: { ...address, by: next } })} />
    </Page>
  )
}
