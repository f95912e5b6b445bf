import { ApiError } from '../../platform/core/errors.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** The answers this process is writing: at most 50. */
    readonly answers: RunningAnswers
  }
}

const MAX_RUNNING = 50

/** Why an answer ends early, and what people are told. */
export class AnswerStopped extends Error {
  readonly status: 'failed' | 'cancelled' | 'interrupted'

  constructor(status: AnswerStopped['status'], message: string) {
    super(message)
    this.status = status
  }
}

/** Answers are written after their request has ended; they end when the server stops. */
export class RunningAnswers {
  readonly #running = new Map<Promise<void>, AbortController>()

  assertCapacity(): void {
    if (this.#running.size >= MAX_RUNNING)
      throw new ApiError('unavailable', 'The assistant is answering too many questions. Try again later.')
  }

  start(work: (stop: AbortController) => Promise<void>): void {
    const stop = new AbortController()
    const done = work(stop).finally(() => this.#running.delete(done))
    this.#running.set(done, stop)
  }

  async stop(): Promise<void> {
    for (const stop of this.#running.values()) stop.abort(new AnswerStopped('interrupted', 'The server was stopped. Ask again.'))
    await Promise.allSettled(this.#running.keys())
  }
}
