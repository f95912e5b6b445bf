/** Channels send messages to people. They do not know why a message is sent. */
export const CHANNELS = ['email', 'slack'] as const
export type ChannelName = (typeof CHANNELS)[number]

/** A message in a form that every channel can render. */
export interface Message {
  /** The same for every attempt, so that a receiver can detect duplicates. */
  readonly id: string
  /** An e-mail address, or a Slack user or channel ID. */
  readonly to: string
  readonly subject: string
  readonly sections: readonly MessageSection[]
  /** Why the recipient gets it. */
  readonly reason?: string
  /** URL of the recipient's notification settings. */
  readonly settings_link?: string
  /** The message it replies to: its ID and, if available, the ID assigned by the receiver. */
  readonly thread?: { readonly id: string; readonly receipt: string | null }
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
   * the message must not be sent. Returns the ID assigned by the receiver, if any.
   */
  send(message: Message, beforeSubmit: () => Promise<void>): Promise<string | undefined>
  /** Looks up a message sent at that time or later at the receiver and returns its ID; undefined if it is missing or cannot be looked up. */
  find?(message: Message, since: Date): Promise<string | undefined>
}

/** `again`: not delivered, retry. `never`: permanently rejected. `unknown`: may have been delivered. */
export class DeliveryError extends Error {
  readonly fate: 'again' | 'never' | 'unknown'
  /** Minimum pause requested by the receiver. */
  readonly after_ms?: number

  constructor(fate: DeliveryError['fate'], message: string, after_ms?: number) {
    super(message)
    this.fate = fate
    this.after_ms = after_ms
  }
}
