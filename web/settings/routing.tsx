import { NotificationChannels } from './notification-channels.tsx'
import { RoutingRules } from './routing-rules.tsx'

/** Where incidents are sent besides the people concerned: channels, and the rules that choose them. */
export const Routing = () => (
  <>
    <RoutingRules />
    <NotificationChannels />
  </>
)
