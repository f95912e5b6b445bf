/** What carries messages to people. A channel knows nothing of why a message is sent. */
export const CHANNELS = ['email', 'slack'] as const
export type ChannelName = (typeof CHANNELS)[number]

/** A message as every channel understands it; each renders it in its own way. */
export interface Message {
  /** The same for every attempt, so that a receiver can tell a repetition. */
  readonly id: string
  /** An e-mail address, or a Slack user or channel ID. */
  readonly to: string
  readonly subject: string
  readonly sections: readonly Section[]
  /** Why the receiver gets it. */
  readonly reason?: string
  /** Where the receiver can change what they are sent. */
  readonly settings_link?: string
  /** The message it answers: the ID that one was sent under, and what the other side calls it, where it said. */
  readonly thread?: { readonly id: string; readonly receipt: string | null }
}

export interface Section {
  readonly title: string
  readonly link?: string
  readonly lines: readonly string[]
  /** A picture, and what it shows for those who do not see it. */
  readonly image?: { readonly address: string; readonly text: string }
}

export interface Channel {
  readonly name: ChannelName
  /** Receivers drop what they already have. Then a message whose fate is unknown is sent again; else it is left to a person. */
  readonly repeatable: boolean
  /**
   * Sends one message. `handOver` is awaited at the last moment at which the other side surely does not have it: when it throws,
   * nothing may be sent any more. Answers with what the other side calls it, where it says. Throws `NotDelivered`.
   */
  send(message: Message, handOver: () => Promise<void>): Promise<string | undefined>
  /** Whether the other side has this message, sent at that time or later: what it calls it, or nothing when it has not or does not say. */
  find?(message: Message, since: Date): Promise<string | undefined>
}

/** `again`: the other side does not have it. `never`: nor will it take it. `unknown`: it may have it. */
export class NotDelivered extends Error {
  readonly fate: 'again' | 'never' | 'unknown'
  /** The other side asked to be left alone for so long. */
  readonly after_ms?: number

  constructor(fate: NotDelivered['fate'], message: string, after_ms?: number) {
    super(message)
    this.fate = fate
    this.after_ms = after_ms
  }
}
