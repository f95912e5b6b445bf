import { MessageTemplates } from './message-templates.tsx'
import { NotificationChannels } from './notification-channels.tsx'
import { RoutingRules } from './routing-rules.tsx'

/** Where incidents are sent besides the people concerned: channels, the rules that choose them, and the texts. */
export const Routing = () => (
  <>
    <RoutingRules />
    <NotificationChannels />
    <MessageTemplates />
  </>
)
