/** Channels send messages. They do not know why a message is sent. */
export const CHANNELS = ['email', 'slack', 'teams', 'pagerduty', 'opsgenie', 'webhook'] as const
export type ChannelName = (typeof CHANNELS)[number]

/** Channels on which a person can be reached; the others are only for notification channels that admins create. */
export const PERSONAL_CHANNELS = ['email', 'slack'] as const
export type PersonalChannelName = (typeof PERSONAL_CHANNELS)[number]

/** They open, acknowledge and close an alert for each incident, instead of showing messages. */
const PAGERS: readonly ChannelName[] = ['pagerduty', 'opsgenie']
export const isPager = (name: ChannelName): boolean => PAGERS.includes(name)

/** Programs, which get one message for each incident and all that happens to it; people get one for a group. */
export const separatesIncidents = (name: ChannelName): boolean => isPager(name) || name === 'webhook'

/** A message in a form that every channel can render. */
export interface Message {
  /** The same for every attempt, so that a receiver can detect duplicates. */
  readonly id: string
  /** An e-mail address, a Slack user or channel ID, or the URL of a receiver. */
  readonly to: string
  /** The key of the receiver, if it has one. */
  readonly secret?: string
  readonly subject: string
  readonly sections: readonly MessageSection[]
  /** Why the recipient gets it. */
  readonly reason?: string
  /** URL of the recipient's notification settings. */
  readonly settings_link?: string
  /** The message it replies to: its ID and, if available, the ID assigned by the receiver. */
  readonly thread?: { readonly id: string; readonly receipt: string | null }
  /** What the sections are about, for channels that programs read. */
  readonly events?: readonly MessageEvent[]
  /** Set for pagers. */
  readonly incident?: MessageIncident
  /** The incident that a reader can acknowledge or resolve with a button, if the channel has any. */
  readonly actions_for?: string
}

/** What a pager is to do. */
export interface MessageIncident {
  readonly id: string
  readonly action: 'open' | 'acknowledge' | 'resolve'
  readonly severity: string
  /** The table or column it is about. */
  readonly source: string
}

export interface MessageEvent {
  readonly type: string
  readonly resource_id: string | null
  readonly resource_title: string | null
  readonly incident: string | null
  readonly severity: string | null
}

export interface MessageSection {
  readonly title: string
  readonly link?: string
  readonly lines: readonly string[]
  /** An image with its alternative text. */
  readonly image?: { readonly address: string; readonly text: string }
}

export interface Channel {
  readonly name: ChannelName
  /**
   * Sends one message. The callback is awaited at the last moment at which the receiver certainly does not have the message; if it throws,
   * the message must not be sent.
   */
  send(message: Message, beforeSubmit: () => Promise<void>): Promise<SentMessage>
  /** Looks up a message sent at that time or later at the receiver and returns its ID; undefined if it is missing or cannot be looked up. */
  find?(message: Message, since: Date): Promise<string | undefined>
}

export interface ReceiverResponse {
  /** Of HTTP. */
  readonly status?: number
  readonly body?: string
}

export interface SentMessage {
  /** ID assigned by the receiver, if any. */
  readonly receipt?: string
  readonly response?: ReceiverResponse
}

/** `again`: not delivered, retry. `never`: permanently rejected. `unknown`: may have been delivered. */
export class DeliveryError extends Error {
  readonly fate: 'again' | 'never' | 'unknown'
  /** Minimum pause requested by the receiver. */
  readonly after_ms?: number
  readonly response?: ReceiverResponse

  constructor(
    fate: DeliveryError['fate'],
    message: string,
    { after_ms, response }: { readonly after_ms?: number; readonly response?: ReceiverResponse } = {},
  ) {
    super(message)
    this.fate = fate
    this.after_ms = after_ms
    this.response = response
  }
}
